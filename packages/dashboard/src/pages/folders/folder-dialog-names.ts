/** Names of the dialogs of folders in the URL. */
export const FOLDER_DIALOGS: ReadonlySet<string> = new Set([
  'new-folder',
  'folder-access',
  'rename-folder',
  'move-folder',
  'delete-folder',
]);
