import { Badge, Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { showDone, showFailure } from '../../components/messages.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import {
  actionName,
  ACTIONS_IN_TRASH,
  ACTIONS_IN_USE,
  dialogName,
  MOST_AT_ONCE,
  type BulkAction,
} from './bulk/bulk-actions.js';
import { BulkDialog } from './bulk/bulk-dialog.js';
import bulkClasses from './bulk/bulk.module.css';
import DeleteDocument from './delete-document.js';
import classes from './documents-page.module.css';
import { tagsOf, typeName, type DocumentListItem } from './document-types.js';
import { ExportItems } from './export-items.js';
import { Highlight } from './highlight.js';
import { isFiltered, type DocumentFilters } from './list-query.js';
import { StatusBadge } from './status-badge.js';
import { moveBetweenRows } from './row-keys.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';

interface DocumentTableProps {
  filters: DocumentFilters;
  documents: {
    data: { data: DocumentListItem[]; meta: { pagination: { total: number } } } | undefined;
    error: Error | null;
    /** True while `data` belongs to the previous list. */
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** Buttons that begin, where nothing is yet. */
  begin: ReactNode;
}

/** The documents of a page, and what is done with those that are selected. */
export function DocumentTable({ filters, documents, begin }: DocumentTableProps) {
  const inTrash = filters.deleted === true;
  const rows = documents.data?.data;
  const total = documents.data?.meta.pagination.total ?? 0;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [allMatch, setAllMatch] = useState(false);
  const dialogs = useDialogs();
  const columns = useMemo(() => columnsOf(inTrash), [inTrash]);
  const chosen = rows?.filter(({ id }) => selected.has(id)) ?? [];
  const count = allMatch ? total : chosen.length;
  const change = (ids: ReadonlySet<string>) => {
    setSelected(ids);
    setAllMatch(false);
  };
  return (
    <div onKeyDown={moveBetweenRows}>
      {chosen.length > 0 && (
        <SelectionBar
          count={count}
          inTrash={inTrash}
          onAction={(action) => {
            dialogs.open(dialogName(action), allMatch ? ALL : chosen.map(({ id }) => id).join());
          }}
          onClear={() => {
            change(new Set());
          }}
          selectAll={
            !allMatch && chosen.length === rows?.length && total > chosen.length
              ? {
                  total,
                  select: () => {
                    setAllMatch(true);
                  },
                }
              : undefined
          }
        />
      )}
      <DataTable
        name="Documents"
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        error={documents.error}
        onRetry={() => void documents.refetch()}
        expectedRows={10}
        empty={emptyState(filters, begin)}
        selection={{ selected, change }}
        actions={(document) => (
          <RowActions
            document={document}
            inTrash={inTrash}
            onAction={(action) => {
              dialogs.open(dialogName(action), document.id);
            }}
          />
        )}
      />
      {rows && !documents.isPlaceholderData && (
        <DialogInAddress
          filters={filters}
          rows={rows}
          total={total}
          onDone={() => {
            change(new Set());
          }}
        />
      )}
    </div>
  );
}

/** In the address bar: all documents that match, instead of the ids of some. */
const ALL = 'all';

interface DialogsProps {
  filters: DocumentFilters;
  rows: readonly DocumentListItem[];
  total: number;
  onDone: () => void;
}

/** The dialog in the address bar, once the list that it belongs to is loaded. */
function DialogInAddress(props: DialogsProps) {
  const { dialog, of } = useDialogs();
  if (dialog === undefined || of === undefined) return null;
  return <Dialogs key={`${dialog} ${of}`} {...props} />;
}

/** Keeps the documents it began with while the list changes. */
function Dialogs({ filters, rows, total, onDone }: DialogsProps) {
  const { dialog, of = '', close } = useDialogs();
  const mayWrite = useAllowance('documents:write').disabled !== true;
  const mayDelete = useAllowance('documents:delete').disabled !== true;
  const [some] = useState(() => rows.filter(({ id }) => of.split(',').includes(id)));
  const actions = filters.deleted === true ? ACTIONS_IN_TRASH : ACTIONS_IN_USE;
  const action = actions.find((one) => dialogName(one) === dialog);
  if (!action || !(action.kind === 'delete-for-good' ? mayDelete : mayWrite)) return null;
  if (of === ALL) {
    return (
      <BulkDialog action={action} target={filters} count={total} onDone={onDone} onClose={close} />
    );
  }
  const [first] = some;
  if (!first) return null;
  if (action.kind === 'delete' && some.length === 1) {
    return <DeleteDocument document={first} onClose={close} />;
  }
  return (
    <BulkDialog action={action} target={some} count={some.length} onDone={onDone} onClose={close} />
  );
}

function emptyState(filters: DocumentFilters, begin: ReactNode) {
  if (isFiltered(filters)) return { sentence: 'No results. Remove a filter.' };
  if (filters.deleted === true) {
    return { sentence: 'The trash is empty. Deleted documents stay here for 30 days.' };
  }
  return {
    sentence: (
      <>
        Nothing here yet. Write a document, start from a{' '}
        <AppLink to="/{-$accountId}/templates" className={classes.inText}>
          template
        </AppLink>
        , or drop files here.
      </>
    ),
    action: begin,
  };
}

function columnsOf(inTrash: boolean): readonly Column<DocumentListItem>[] {
  return [
    {
      title: 'Title',
      cell: (document) => (
        <>
          {inTrash ? document.title : <DocumentLink document={document} />}
          {typeof document.highlight === 'string' && (
            <span className={classes.excerpt}>
              <Highlight html={document.highlight} />
            </span>
          )}
        </>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, kind: 'narrow' },
    { title: 'Type', cell: ({ type }) => typeName(type), kind: 'narrow', wideOnly: true },
    { title: 'Tags', cell: (document) => <Tags document={document} />, wideOnly: true },
    {
      title: 'Words',
      cell: ({ wordCount }) => formatCount(wordCount),
      kind: 'number',
      wideOnly: true,
    },
    inTrash
      ? {
          title: 'Deleted',
          cell: ({ deletedAt }) => deletedAt !== undefined && <Time at={deletedAt} />,
          kind: 'narrow',
        }
      : { title: 'Last edited', cell: ({ updatedAt }) => <Time at={updatedAt} />, kind: 'narrow' },
  ];
}

function DocumentLink({ document: { id, title } }: { document: DocumentListItem }) {
  return (
    <AppLink
      to="/{-$accountId}/documents/$documentId"
      params={((previous: object) => ({ ...previous, documentId: id })) as never}
    >
      {title}
    </AppLink>
  );
}

/** Tags of a row that are shown. */
const SHOWN_TAGS = 4;

function Tags({ document }: { document: DocumentListItem }) {
  const [, change] = useSearchState();
  const tags = tagsOf(document);
  return (
    <span className={classes.tags}>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Badge
          key={tag}
          tt="none"
          color="blue"
          component="button"
          title="Filter by this tag"
          className={classes.tag}
          onClick={() => {
            change({ tag });
          }}
        >
          {tag}
        </Badge>
      ))}
      {tags.length > SHOWN_TAGS && `+${String(tags.length - SHOWN_TAGS)}`}
    </span>
  );
}

interface RowActionsProps {
  document: DocumentListItem;
  inTrash: boolean;
  onAction: (action: BulkAction) => void;
}

function RowActions({ document, inTrash, onAction }: RowActionsProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const writing = useAllowance('documents:write');
  const removing = useAllowance('documents:delete');
  const { id, title } = document;
  const restore = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/documents/{id}/restore', { params: { path: { id } } })),
    onSuccess: async () => {
      showDone(`${title} restored.`);
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
    onError: showFailure,
  });
  if (!inTrash) {
    return (
      <RowMenu name={title}>
        <Menu.Label>Export</Menu.Label>
        <ExportItems id={id} title={title} />
        <Menu.Divider />
        <Menu.Item
          color="red"
          onClick={() => {
            onAction({ kind: 'delete' });
          }}
          {...writing}
        >
          Delete
        </Menu.Item>
      </RowMenu>
    );
  }
  return (
    <RowMenu name={title}>
      <Menu.Item
        onClick={() => {
          restore.mutate();
        }}
        {...writing}
      >
        Restore
      </Menu.Item>
      <Menu.Item
        color="red"
        onClick={() => {
          onAction({ kind: 'delete-for-good' });
        }}
        {...removing}
      >
        Delete permanently
      </Menu.Item>
    </RowMenu>
  );
}

interface SelectionBarProps {
  count: number;
  inTrash: boolean;
  onAction: (action: BulkAction) => void;
  onClear: () => void;
  /** Offered when all rows of the page are selected, and more match. */
  selectAll: { total: number; select: () => void } | undefined;
}

function SelectionBar({ count, inTrash, onAction, onClear, selectAll }: SelectionBarProps) {
  const writing = useAllowance('documents:write');
  const removing = useAllowance('documents:delete');
  const actions = inTrash ? ACTIONS_IN_TRASH : ACTIONS_IN_USE;
  return (
    <div className={bulkClasses.bar} role="group" aria-label="Selection">
      <strong>{countOf(count, 'document')} selected</strong>
      {selectAll && (
        <Button size="compact-sm" variant="subtle" onClick={selectAll.select}>
          Select all {formatCount(selectAll.total)} that match
        </Button>
      )}
      {count > MOST_AT_ONCE && <span>One action can include {formatCount(MOST_AT_ONCE)}.</span>}
      {actions.map((action) => (
        <Button
          key={actionName(action)}
          size="compact-sm"
          variant="default"
          onClick={() => {
            onAction(action);
          }}
          {...(action.kind === 'delete-for-good' ? removing : writing)}
        >
          {actionName(action)}
        </Button>
      ))}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
