import { Button, Tabs } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, pageOf, Pager } from '../../components/pager.js';
import { useSearchState } from '../../search-state.js';
import classes from './documents-page.module.css';
import { DocumentTable } from './document-table.js';
import { ImportDialog } from './import-dialog.js';
import { DropArea } from './drop-area.js';
import { filtersOf, queryOf, isFiltered, sortOf } from './list-query.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { ListControls } from './list/list-controls.js';
import listClasses from './list/list.module.css';

/** Interval for reloading a visible list, in ms. */
const READ_EVERY = 30_000;

export function DocumentsPage() {
  const { id: accountId, api } = useAccount();
  const [state, change] = useSearchState();
  const navigate = useNavigate();
  const allowance = useAllowance('documents:write');
  const dialogs = useDialogs();
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const controls = useRef<HTMLDivElement>(null);
  const filters = filtersOf(state);
  const { sort, order } = sortOf(state, filters);
  const page = pageOf(state);
  const query = { ...queryOf(filters), sort, order, page, limit: PAGE_SIZE };
  const documents = useQuery({
    queryKey: [accountId, 'documents', 'list', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/documents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: every(READ_EVERY) as never,
  });
  const inTrash = filters.deleted === true;
  const create = () => {
    void navigate({ to: '/{-$accountId}/documents/new', params: { accountId } });
  };
  useHotkeys([
    [
      '/',
      () => {
        controls.current?.querySelector<HTMLElement>('input[type=search]')?.focus();
      },
    ],
    [
      'c',
      () => {
        if (!allowance.disabled && !document.querySelector('[role=dialog]')) create();
      },
    ],
  ]);
  const importFiles = (files: readonly File[]) => {
    setDropped(files);
    if (dialogs.dialog !== 'import') dialogs.open('import');
  };
  const isEmpty =
    documents.data?.meta.pagination.total === 0 && !isFiltered(filters) && !inTrash && page === 1;
  const importing = (
    <Button
      variant="default"
      leftSection={<Icon name="upload" />}
      onClick={() => {
        importFiles([]);
      }}
      {...allowance}
    >
      Import documents
    </Button>
  );
  const creating = (
    <Button leftSection={<Icon name="add" />} onClick={create} {...allowance}>
      New document
    </Button>
  );
  return (
    <DropArea onFiles={importFiles} disabled={allowance.disabled === true}>
      <Page
        title="Documents"
        // An empty list has this button in the middle of the page.
        actions={
          <>
            {importing}
            {!isEmpty && creating}
          </>
        }
      >
        <Tabs
          value={inTrash ? 'trash' : 'documents'}
          onChange={(tab) => {
            change({
              tab: tab === 'trash' ? 'trash' : undefined,
              status: undefined,
              type: undefined,
              tag: undefined,
            });
          }}
          mb="md"
        >
          <Tabs.List aria-label="Documents and trash">
            <Tabs.Tab value="documents">Active</Tabs.Tab>
            <Tabs.Tab value="trash">Trash</Tabs.Tab>
          </Tabs.List>
        </Tabs>
        <ListControls ref={controls} filters={filters} />
        <div className={`${classes.list ?? ''} ${listClasses.list ?? ''}`} id="list" tabIndex={-1}>
          <DocumentTable
            // The selection belongs to the list shown.
            key={JSON.stringify(query)}
            filters={filters}
            documents={documents}
            begin={creating}
          />
          <Pager pagination={documents.data?.meta.pagination} />
        </div>
      </Page>
      {dialogs.dialog === 'import' && !allowance.disabled && (
        <ImportDialog files={dropped} onClose={dialogs.close} />
      )}
    </DropArea>
  );
}
