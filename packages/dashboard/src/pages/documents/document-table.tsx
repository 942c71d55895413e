import { Button } from '@mantine/core';
import { useState, type DragEvent, type ReactNode } from 'react';
import { AppLink } from '../../components/app-link.js';
import { DataTable } from '../../components/data-table.js';
import { countOf } from '../../components/numbers.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { startDrag } from '../folders/drag.js';
import { FolderRight } from '../folders/folder-right.js';
import type { Folders } from '../folders/folders.js';
import { dialogName, type BulkAction } from './bulk/bulk-actions.js';
import classes from './documents-page.module.css';
import { statusName, typeName, type DocumentListItem } from './document-types.js';
import { columnsOf } from './list/document-cells.js';
import { ALL, ListDialogs } from './list/list-dialogs.js';
import { RowActions } from './list/row-actions.js';
import { SelectionBar } from './list/selection-bar.js';
import { isFiltered, type DocumentFilters } from './list-query.js';

interface DocumentTableProps {
  folders: Folders;
  filters: DocumentFilters;
  documents: {
    data: { data: DocumentListItem[]; meta: { pagination: { total: number } } } | undefined;
    error: Error | null;
    /** True while `data` belongs to the previous list. */
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** Button for an empty list. */
  begin: ReactNode;
}

/** The documents of a page, with selection and bulk actions. */
export function DocumentTable({ folders, filters, documents, begin }: DocumentTableProps) {
  const hasFolders = folders.byId.size > 0;
  const inTrash = filters.deleted === true;
  const { rows, total } = listOf(documents);
  const { selected, chosen, allMatch, change, selectAll } = useSelection(rows ?? [], total);
  const dialogs = useDialogs();
  const mayMove = useAllowance('documents:write').disabled !== true;
  const clear = () => {
    change(new Set());
  };
  const openFor = (of: string) => (action: BulkAction) => {
    dialogs.open(dialogName(action), of);
  };
  return (
    <>
      {chosen.length > 0 && (
        <FolderRight folderId={filters.collection}>
          <SelectionBar
            count={allMatch ? total : chosen.length}
            inTrash={inTrash}
            hasFolders={hasFolders}
            onAction={openFor(allMatch ? ALL : chosen.map(({ id }) => id).join())}
            onClear={clear}
            selectAll={selectAll}
          />
        </FolderRight>
      )}
      <DataTable
        name="Documents"
        columns={columnsOf(folders, filters)}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        error={documents.error}
        onRetry={() => void documents.refetch()}
        expectedRows={10}
        empty={emptyState(filters, begin)}
        selection={{ selected, change }}
        actions={(document) => (
          <FolderRight folderId={document.collectionId}>
            <RowActions
              document={document}
              inTrash={inTrash}
              hasFolders={hasFolders}
              onAction={openFor(document.id)}
            />
          </FolderRight>
        )}
        {...(hasFolders &&
          !inTrash &&
          mayMove && {
            onDragStart: (event: DragEvent, row: DocumentListItem) => {
              drag(event, selected.has(row.id) ? chosen : [row]);
            },
          })}
      />
      {rows && !documents.isPlaceholderData && (
        <ListDialogs filters={filters} rows={rows} total={total} onDone={clear} />
      )}
    </>
  );
}

/** Returns the selected rows. `allMatch` is true if the documents on other pages are selected, too. */
function useSelection(rows: readonly DocumentListItem[], total: number) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [allMatch, setAllMatch] = useState(false);
  const chosen = rows.filter(({ id }) => selected.has(id));
  const change = (ids: ReadonlySet<string>) => {
    setSelected(ids);
    setAllMatch(false);
  };
  const select = () => {
    setAllMatch(true);
  };
  const hasMore = !allMatch && chosen.length === rows.length && total > chosen.length;
  return { selected, chosen, allMatch, change, selectAll: hasMore ? { total, select } : undefined };
}

function drag(event: DragEvent, documents: readonly DocumentListItem[]): void {
  const [first] = documents;
  const label =
    first && documents.length === 1 ? first.title : countOf(documents.length, 'document');
  startDrag(event, { kind: 'documents', documents }, label);
}

function listOf({ data }: DocumentTableProps['documents']) {
  return { rows: data?.data, total: data?.meta.pagination.total ?? 0 };
}

function emptyState(filters: DocumentFilters, begin: ReactNode) {
  if (isFiltered(filters)) return noMatches(filters);
  if (filters.collection !== undefined) return emptyFolder(filters, begin);
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

/** In the trash, documents keep their folder. */
function emptyFolder({ collection, deleted }: DocumentFilters, begin: ReactNode) {
  const isUnfiled = collection === 'root';
  if (deleted === true) {
    return {
      sentence: `No documents ${isUnfiled ? 'without a folder' : 'of this folder'} in the trash.`,
    };
  }
  return isUnfiled
    ? { sentence: 'Every document is in a folder.' }
    : {
        sentence: 'No documents in this folder yet. Write one, or drop files here.',
        action: begin,
      };
}

/** Says what was searched and where. */
function noMatches({ q, deleted, collection, ...others }: DocumentFilters) {
  const what = q === undefined ? 'No documents match' : `No documents contain “${q}”`;
  const where = [
    collection !== undefined && collection !== 'root' && ' in this folder',
    deleted === true && ' in the trash',
  ]
    .filter((part) => part !== false)
    .join('');
  const filters = filterNames(others);
  if (q === undefined)
    return { sentence: `${what} ${filters}${where}.`, action: <ClearSearch />, isFiltered: true };
  const within = filters === '' ? '' : ` and match ${filters}`;
  return {
    sentence: `${what}${within}${where}. Titles and texts were searched.`,
    action: <ClearSearch />,
    isFiltered: true,
  };
}

function filterNames(filters: Omit<DocumentFilters, 'q' | 'deleted' | 'collection'>): string {
  const { type, status, tag, department, project, unpublishedChanges } = filters;
  const names = [
    status && `Status: ${statusName(status)}`,
    type && `Type: ${typeName(type)}`,
    department !== undefined && `Department: ${department}`,
    project !== undefined && `Project: ${project}`,
    tag && `Tag: ${tag.join(', ')}`,
    unpublishedChanges && 'Unpublished changes',
  ];
  return names.filter((name) => typeof name === 'string').join(' and ');
}

function ClearSearch() {
  const [, change] = useSearchState();
  return (
    <Button
      variant="default"
      onClick={() => {
        const filters = ['type', 'status', 'tag', 'department', 'project', 'unpublishedChanges'];
        const names = ['q', ...filters];
        change(Object.fromEntries(names.map((name) => [name, undefined])));
      }}
    >
      Show all documents
    </Button>
  );
}
