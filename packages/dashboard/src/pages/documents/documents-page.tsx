import { Button, Tabs } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { bodyOf } from '../../api/client.js';
import { useCollections } from '../../api/collections.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { PAGE_SIZE, pageOf, Pager } from '../../components/pager.js';
import { loadPart } from '../../load-part.js';
import { useSearchState } from '../../search-state.js';
import { FolderCrumbs } from '../folders/folder-crumbs.js';
import { FolderIcon } from '../folders/folder-icons.js';
import { FolderMenu, useHasMenu } from '../folders/folder-menu.js';
import { FoldersBeside, useHasRoom } from '../folders/folders-aside.js';
import { FOLDER_DIALOGS } from '../folders/folder-dialog-names.js';
import {
  foldersOf,
  hasRight,
  pathOf,
  ROOT,
  type Folder,
  type Folders,
} from '../folders/folders.js';
import classes from './documents-page.module.css';
import { DocumentTable } from './document-table.js';
import { ImportDialog } from './import-dialog.js';
import { DropArea } from './drop-area.js';
import { filtersOf, queryOf, isFiltered, sortOf } from './list-query.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { ListControls } from './list/list-controls.js';
import listClasses from './list/list.module.css';

const FolderDialogs = lazy(() => loadPart(() => import('../folders/folder-dialogs.js')));

/** Interval for reloading a visible list, in ms. */
const READ_EVERY = 30_000;

/** The documents of the open folder, or all, beside the tree of folders. */
export function DocumentsPage() {
  const { id: accountId, api, may } = useAccount();
  const collections = useCollections();
  const folders = useMemo(() => foldersOf(collections.data ?? []), [collections.data]);
  const [state, change] = useSearchState();
  const navigate = useNavigate();
  const allowance = useAllowance('documents:write');
  const dialogs = useDialogs();
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const controls = useRef<HTMLDivElement>(null);
  const hasMenu = useHasMenu();
  const hasRoom = useHasRoom();
  const folder = folders.byId.get(state.folder ?? '');
  const isMissing =
    collections.data !== undefined &&
    state.folder !== undefined &&
    state.folder !== ROOT &&
    !folder;
  const filters = filtersOf(state);
  const { sort, order } = sortOf(state, filters);
  const page = pageOf(state);
  const query = { ...queryOf(filters), sort, order, page, limit: PAGE_SIZE };
  const documents = useQuery({
    queryKey: [accountId, 'documents', 'list', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/documents', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: every(READ_EVERY) as never,
    enabled: !isMissing,
  });
  const inTrash = filters.deleted === true;
  // A person who may write elsewhere would only wonder about disabled buttons.
  const isReadOnlyFolder = folder !== undefined && !hasRight(folder, 'editor');
  const mayCreate = allowance.disabled !== true && !isReadOnlyFolder;
  const create = () => {
    void navigate({
      to: '/{-$accountId}/documents/new',
      params: { accountId },
      search: { folder: folder?.id } as never,
    });
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
        if (mayCreate && !document.querySelector('[role=dialog]')) create();
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
  const menu = hasMenu(folder) && <FolderMenu folder={folder} isBordered />;
  if (isMissing) {
    return (
      <Page title="Folder not found" above={<Crumbs folders={folders} folder={undefined} />}>
        <FoldersBeside folders={folders}>
          <p role="alert">This folder doesn’t exist, or you don’t have access to it.</p>
        </FoldersBeside>
      </Page>
    );
  }
  return (
    <DropArea onFiles={importFiles} disabled={!mayCreate}>
      <Page
        title={folder?.name ?? (state.folder === ROOT ? 'Not in a folder' : 'Documents')}
        above={state.folder !== undefined && <Crumbs folders={folders} folder={folder} />}
        // An empty list has this button in the middle of the page.
        actions={
          !isReadOnlyFolder && (
            <>
              {collections.data?.length === 0 && may('collections:write') && (
                <Button
                  variant="default"
                  leftSection={<FolderIcon name="folder" />}
                  onClick={() => {
                    dialogs.open('new-folder');
                  }}
                >
                  New folder
                </Button>
              )}
              {importing}
              {!isEmpty && creating}
              {hasRoom && menu}
            </>
          )
        }
      >
        {collections.error && !collections.data && (
          <FailureAlert error={collections.error} onRetry={() => void collections.refetch()} />
        )}
        {collections.isPending ? (
          <LoadingLines rows={10} height={28} />
        ) : (
          <FoldersBeside folders={folders} menu={menu}>
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
            <div
              className={`${classes.list ?? ''} ${listClasses.list ?? ''}`}
              id="list"
              tabIndex={-1}
            >
              <DocumentTable
                // The selection belongs to the list shown.
                key={JSON.stringify(query)}
                folders={folders}
                filters={filters}
                documents={documents}
                begin={!isReadOnlyFolder && creating}
              />
              <Pager pagination={documents.data?.meta.pagination} />
            </div>
          </FoldersBeside>
        )}
      </Page>
      {dialogs.dialog === 'import' && mayCreate && (
        <ImportDialog files={dropped} folderId={folder?.id} onClose={dialogs.close} />
      )}
      {FOLDER_DIALOGS.has(dialogs.dialog ?? '') && (
        <Suspense fallback={null}>
          <FolderDialogs folders={folders} />
        </Suspense>
      )}
    </DropArea>
  );
}

/** Where the open folder is. */
function Crumbs({ folders, folder }: { folders: Folders; folder: Folder | undefined }) {
  return (
    <nav aria-label="Breadcrumb">
      <FolderCrumbs path={folder ? pathOf(folders, folder.parentId) : []} />
    </nav>
  );
}
