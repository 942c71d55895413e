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
import { FolderIcon } from './folder-icons.js';
import { FolderMenu } from './folder-menu.js';
import { FolderTree } from './folder-tree.js';
import { changesReaders, ROOT, whyNotInto, whyNotMove, type Folders } from './folders.js';
import classes from './folders.module.css';
import { MoveDialog } from './move-dialogs.js';
import { placesOf, useMove, type Moved } from './use-move.js';

/** Windows in which the tree fits beside the list. */
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

const FIXED = [
  { id: ALL, name: 'All documents', icon: <Icon name="documents" /> },
  { id: ROOT, name: 'Not in a folder', icon: <FolderIcon name="unfiled" /> },
];

/** Returns the place of a row: the ID of its folder, or null. */
function placeOf(id: string): string | null {
  return id === ROOT || id === ALL ? null : id;
}

function Tree({ folders }: { folders: Folders }) {
  const { id: accountId, may } = useAccount();
  const [state, change] = useSearchState();
  const { open } = useDialogs();
  const move = useMove(folders);
  const [asked, setAsked] = useState<{ moved: Moved; to: string | null }>();
  const mayMoveFolders = may('collections:write');
  const accepts = (moved: Moved, id: string): boolean => {
    const to = placeOf(id);
    if (moved.kind === 'folder') {
      // "All documents" is the top of the tree.
      const isPlace = id !== ROOT;
      return mayMoveFolders && isPlace && whyNotMove(folders, moved.folder.id, to) === undefined;
    }
    const from = placesOf(moved);
    return (
      may('documents:write') &&
      id !== ALL &&
      from.some((place) => place !== to) &&
      [...from, to].every((place) => whyNotInto(folders, place) === undefined)
    );
  };
  const drop = (moved: Moved, id: string) => {
    const to = placeOf(id);
    if (changesReaders(folders, { from: placesOf(moved), to })) setAsked({ moved, to });
    else void move(moved, to).catch(showFailure);
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
            // Replaces the history entry of the open drawer.
            { replace: state.dialog !== undefined },
          );
        }}
        menu={(folder) => <FolderMenu folder={folder} />}
        drop={{ accepts, onDrop: drop }}
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
