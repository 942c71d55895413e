import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useAccount } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { loadPart } from '../../load-part.js';
import { FolderCrumbs } from '../folders/folder-crumbs.js';
import { FolderIcon } from '../folders/folder-icons.js';
import { FolderMenu } from '../folders/folder-menu.js';
import { FoldersBeside, useHasRoom } from '../folders/folders-aside.js';
import { pathOf, ROOT, type Folder, type Folders } from '../folders/folders.js';
import { DocumentList } from './document-list.js';
import { DropArea } from './drop-area.js';
import { useDocumentList, useOpenFolder } from './use-document-list.js';

const ImportDialog = lazy(() => loadPart(() => import('./import-dialog.js')));
const FolderDialogs = lazy(() => loadPart(() => import('../folders/folder-dialogs.js')));

/** Names in the URL of the dialogs in {@link FolderDialogs}. */
const FOLDER_DIALOGS: ReadonlySet<string | undefined> = new Set([
  'new-folder',
  'folder-access',
  'rename-folder',
  'move-folder',
  'delete-folder',
]);

type OpenFolder = ReturnType<typeof useOpenFolder>;

/** The documents of the open folder, or all, beside the tree of folders. */
export function DocumentsPage() {
  const open = useOpenFolder();
  return open.isMissing ? <MissingFolder folders={open.folders} /> : <FolderPage open={open} />;
}

function MissingFolder({ folders }: { folders: Folders }) {
  return (
    <Page title="Folder not found" above={<Crumbs folders={folders} folder={undefined} />}>
      <FoldersBeside folders={folders}>
        <p role="alert">This folder doesn’t exist, or you don’t have access to it.</p>
      </FoldersBeside>
    </Page>
  );
}

function FolderPage({ open }: { open: OpenFolder }) {
  const { collections, folders, place, folder, isReadOnly } = open;
  const list = useDocumentList();
  const dialogs = useDialogs();
  const hasRoom = useHasRoom();
  const mayCreate = useAllowance('documents:write').disabled !== true && !isReadOnly;
  const create = useCreate(folder, mayCreate);
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const importFiles = (files: readonly File[]) => {
    setDropped(files);
    if (dialogs.dialog !== 'import') dialogs.open('import');
  };
  // In a folder that the person can only view, the buttons are hidden, not disabled.
  const creating = !isReadOnly && (
    <ScopedButton scope="documents:write" leftSection={<Icon name="add" />} onClick={create}>
      New document
    </ScopedButton>
  );
  const menu = folder && <FolderMenu folder={folder} isBordered />;
  return (
    <DropArea onFiles={importFiles} disabled={!mayCreate}>
      <Page
        title={titleOf(open)}
        above={place !== undefined && <Crumbs folders={folders} folder={folder} />}
        actions={
          <>
            {collections.data?.length === 0 && <FirstFolder />}
            {!isReadOnly && (
              <ScopedButton
                scope="documents:write"
                variant="default"
                leftSection={<Icon name="upload" />}
                onClick={() => {
                  importFiles([]);
                }}
              >
                Import documents
              </ScopedButton>
            )}
            {/* An empty list has this button in the middle of the page. */}
            {!list.isEmpty && creating}
            {hasRoom && menu}
          </>
        }
      >
        <LoadedFolders collections={collections}>
          <FoldersBeside folders={folders} menu={menu}>
            <DocumentList folders={folders} list={list} begin={creating} />
          </FoldersBeside>
        </LoadedFolders>
      </Page>
      <Suspense fallback={null}>
        {dialogs.dialog === 'import' && mayCreate && (
          <ImportDialog files={dropped} folderId={folder?.id} onClose={dialogs.close} />
        )}
        {FOLDER_DIALOGS.has(dialogs.dialog) && <FolderDialogs folders={folders} />}
      </Suspense>
    </DropArea>
  );
}

function titleOf({ folder, place }: OpenFolder): string {
  return folder?.name ?? (place === ROOT ? 'Not in a folder' : 'Documents');
}

/** Returns a function that opens a new document in the folder, and binds it to the key C. */
function useCreate(folder: Folder | undefined, isAllowed: boolean) {
  const { id: accountId } = useAccount();
  const navigate = useNavigate();
  const create = () => {
    void navigate({
      to: '/{-$accountId}/documents/new',
      params: { accountId },
      search: { folder: folder?.id } as never,
    });
  };
  useHotkeys([
    [
      'c',
      () => {
        if (isAllowed && !document.querySelector('[role=dialog]')) create();
      },
    ],
  ]);
  return create;
}

/** Without folders, there is no tree with a button for a new one. */
function FirstFolder() {
  const { may } = useAccount();
  const { open } = useDialogs();
  if (!may('collections:write')) return null;
  return (
    <Button
      variant="default"
      leftSection={<FolderIcon name="folder" />}
      onClick={() => {
        open('new-folder');
      }}
    >
      New folder
    </Button>
  );
}

interface LoadedFoldersProps {
  collections: OpenFolder['collections'];
  children: ReactNode;
}

/** Shows its content once the folders are loaded. If they cannot be loaded, also shows why. */
function LoadedFolders({ collections, children }: LoadedFoldersProps) {
  if (collections.isPending) return <LoadingLines rows={10} height={28} />;
  return (
    <>
      {collections.error && !collections.data && (
        <FailureAlert error={collections.error} onRetry={() => void collections.refetch()} />
      )}
      {children}
    </>
  );
}

/** Links to the folders above the open one. */
function Crumbs({ folders, folder }: { folders: Folders; folder: Folder | undefined }) {
  return (
    <nav aria-label="Breadcrumb">
      <FolderCrumbs path={folder ? pathOf(folders, folder.parentId) : []} />
    </nav>
  );
}
