import { Menu } from '@mantine/core';
import { useAccount } from '../../api/session.js';
import { RowMenu } from '../../components/row-menu.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { ExportFolder } from './export-folder.js';
import { hasRight, type Folder } from './folders.js';

interface FolderMenuProps {
  folder: Folder;
  /** True next to the buttons of a page. */
  isBordered?: boolean;
}

/** Menu with the actions for a folder that the person may use. */
export function FolderMenu({ folder, isBordered = false }: FolderMenuProps) {
  const { may } = useAccount();
  const { open } = useDialogs();
  const mayChange = may('collections:write') && hasRight(folder, 'editor');
  const mayShare = may('access:write') && hasRight(folder, 'manager');
  const item = (name: string, dialog: string, isDangerous = false) => (
    <Menu.Item
      {...(isDangerous && { color: 'red' })}
      onClick={() => {
        open(dialog, folder.id);
      }}
    >
      {name}
    </Menu.Item>
  );
  return (
    <RowMenu name={folder.name} isBordered={isBordered} tabIndex={isBordered ? undefined : -1}>
      {mayShare && item('Who has access', 'folder-access')}
      <ExportFolder folder={folder} />
      {mayChange && (
        <>
          {item('New folder inside', 'new-folder')}
          {item('Rename folder', 'rename-folder')}
          {item('Move to folder', 'move-folder')}
          <Menu.Divider />
          {item('Delete folder', 'delete-folder', true)}
        </>
      )}
    </RowMenu>
  );
}
