import { useAccount } from '../../api/session.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { DeleteFolder } from './delete-folder.js';
import { FolderAccess } from './folder-access.js';
import { hasRight, isWithin, type Folders } from './folders.js';
import { MoveDialog } from './move-dialogs.js';
import { NewFolder } from './new-folder.js';
import { RenameFolder } from './rename-folder.js';

/** Shows the folder dialog in the URL, if the person may use it. */
export default function FolderDialogs({ folders }: { folders: Folders }) {
  const { may } = useAccount();
  const { dialog, of, close } = useDialogs();
  const [state, change] = useSearchState();
  const folder = folders.byId.get(of ?? '');
  if (dialog === 'folder-access') {
    if (!folder || !may('access:write') || !hasRight(folder, 'manager')) return null;
    return <FolderAccess folders={folders} folder={folder} onClose={close} />;
  }
  if (!may('collections:write') || (of !== undefined && !hasRight(folder, 'editor'))) return null;
  const open = (id: string | undefined) => {
    change({ folder: id }, { replace: id === undefined });
  };
  if (dialog === 'new-folder') {
    return <NewFolder folders={folders} parent={folder} onCreated={open} onClose={close} />;
  }
  if (!folder) return null;
  switch (dialog) {
    case 'rename-folder':
      return <RenameFolder key={folder.id} folder={folder} onClose={close} />;
    case 'move-folder':
      return <MoveDialog folders={folders} moved={{ kind: 'folder', folder }} onClose={close} />;
    case 'delete-folder':
      return (
        <DeleteFolder
          folder={folder}
          onDeleted={() => {
            const isOpen = isWithin(folders, state.folder ?? null, folder.id);
            if (isOpen) open(folder.parentId ?? undefined);
          }}
          onClose={close}
        />
      );
    default:
      return null;
  }
}
