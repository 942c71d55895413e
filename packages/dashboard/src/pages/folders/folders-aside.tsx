import { ActionIcon, Button, Drawer, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useAccount } from '../../api/session.js';
import { Icon } from '../../components/icons.js';
import { showFailure } from '../../components/messages.js';
import { useReturnFocus } from '../../components/return-focus.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { NO_BANNER } from '../../theme/no-banner.js';
import type { Dragged } from './drag.js';
import { FolderMenu } from './folder-menu.js';
import { fixedIcon } from './folder-row.js';
import { FolderTree } from './folder-tree.js';
import { FolderIcon } from './folder-icons.js';
import { readersAfter, ROOT, whyNotInto, whyNotMove, type Folders } from './folders.js';
import classes from './folders.module.css';
import { MoveDialog, type Moved } from './move-dialogs.js';
import { useMoves } from './use-moves.js';

/** There is room for the tree beside the list. */
const HAS_ROOM = '(width >= 56.25rem)';
/** ID of the row that shows documents of all folders. */
const ALL = 'all';

/** True if the tree is beside the list. */
export function useHasRoom(): boolean {
  return useMediaQuery(HAS_ROOM, undefined, { getInitialValueInEffect: false });
}

interface FoldersBesideProps {
  folders: Folders;
  /** The menu of the open folder, for narrow windows. */
  menu?: ReactNode;
  /** The list. */
  children: ReactNode;
}

/** The tree of folders beside a list of documents, or in a drawer if there is no room. */
export function FoldersBeside({ folders, menu, children }: FoldersBesideProps) {
  const hasRoom = useHasRoom();
  const { dialog, open, close } = useDialogs();
  if (folders.byId.size === 0) return children;
  return (
    <div className={classes.beside}>
      {hasRoom ? (
        <aside className={classes.aside} aria-label="Folders">
          <Tree folders={folders} />
        </aside>
      ) : (
        <>
          <Group mb="md" gap="xs">
            <Button
              variant="default"
              leftSection={<FolderIcon name="folder" />}
              rightSection={<Icon name="down" size={14} />}
              aria-haspopup="dialog"
              onClick={() => {
                open('folders');
              }}
            >
              Folders
            </Button>
            {menu}
          </Group>
          {dialog === 'folders' && <FoldersDrawer folders={folders} onClose={() => void close()} />}
        </>
      )}
      <div>{children}</div>
    </div>
  );
}

const FIXED = [
  { id: ALL, name: 'All documents', icon: fixedIcon('documents') },
  { id: ROOT, name: 'Not in a folder', icon: fixedIcon('unfiled') },
];

function FoldersDrawer({ folders, onClose }: { folders: Folders; onClose: () => void }) {
  useReturnFocus();
  return (
    <Drawer
      opened
      onClose={onClose}
      title="Folders"
      size="min(22rem, 100%)"
      lockScroll={false}
      attributes={NO_BANNER}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Tree folders={folders} />
    </Drawer>
  );
}

function Tree({ folders }: { folders: Folders }) {
  const { id: accountId, name: accountName, may } = useAccount();
  const [state, change] = useSearchState();
  const { open } = useDialogs();
  const moves = useMoves(folders);
  const [asked, setAsked] = useState<{ moved: Moved; to: string | null }>();
  const mayMoveFolders = may('collections:write');
  const mayMoveDocuments = may('documents:write');
  const placeOf = (id: string) => (id === ROOT ? null : id);
  const whyNot = (dragged: Dragged, id: string): string | undefined => {
    if (dragged.kind === 'folder') {
      if (!mayMoveFolders) return NOT_ALLOWED;
      // "All documents" is the top of the tree.
      if (id === ROOT) return NOT_ALLOWED;
      return whyNotMove(folders, dragged.id, id === ALL ? null : id);
    }
    if (!mayMoveDocuments || id === ALL) return NOT_ALLOWED;
    const to = placeOf(id);
    const isFixed = dragged.documents.some(
      ({ collectionId }) => whyNotInto(folders, collectionId) !== undefined,
    );
    if (isFixed) return NOT_ALLOWED;
    const isHere = dragged.documents.every(({ collectionId }) => collectionId === to);
    return isHere ? "It's already here." : whyNotInto(folders, to);
  };
  const drop = (dragged: Dragged, id: string) => {
    const to = id === ALL ? null : placeOf(id);
    const folder = dragged.kind === 'folder' ? folders.byId.get(dragged.id) : undefined;
    const moved: Moved | undefined =
      dragged.kind === 'documents' ? dragged : folder && { kind: 'folder', folder };
    if (!moved) return;
    const from =
      moved.kind === 'documents'
        ? moved.documents.map(({ collectionId = null }) => collectionId)
        : moved.folder.isRestricted
          ? []
          : [moved.folder.parentId];
    if (readersAfter(folders, { from, to, accountName, what: 'it' }) !== undefined) {
      setAsked({ moved, to });
      return;
    }
    const done =
      moved.kind === 'documents'
        ? moves.moveDocuments(moved.documents, to)
        : moves.moveFolder(moved.folder, to);
    void done.catch(showFailure);
  };
  return (
    <>
      <div className={classes.asideHead}>
        <h2 className={classes.asideTitle}>Folders</h2>
        {mayMoveFolders && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="New folder"
            title="New folder"
            onClick={() => {
              open('new-folder');
            }}
          >
            <Icon name="add" />
          </ActionIcon>
        )}
      </div>
      <FolderTree
        label="Folders"
        folders={folders}
        fixed={FIXED}
        chosen={state.folder ?? ALL}
        rememberAs={`document-service-folders/${accountId}`}
        onChoose={(id) => {
          change(
            { folder: id === ALL ? undefined : id, dialog: undefined, of: undefined },
            // Takes the place of the open drawer.
            { replace: state.dialog !== undefined },
          );
        }}
        menu={(folder) => <FolderMenu folder={folder} />}
        drop={{ whyNot, onDrop: drop }}
      />
      {asked && (
        <MoveDialog
          folders={folders}
          moved={asked.moved}
          to={asked.to}
          onClose={() => {
            setAsked(undefined);
          }}
        />
      )}
    </>
  );
}

const NOT_ALLOWED = "It can't be moved here.";
