import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { collectionsQuery } from '../../api/collections.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { versionTag } from '../documents/document-types.js';
import type { Folder } from './folders.js';
import { NAME_LIMIT } from './new-folder.js';

interface RenameFolderProps {
  folder: Folder;
  onClose: CloseDialog;
}

export function RenameFolder({ folder, onClose }: RenameFolderProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const [name, setName] = useState(folder.name);
  const rename = useMutation({
    mutationFn: () => {
      const { id, version } = folder;
      const params = { path: { id }, header: { 'If-Match': versionTag(version) } };
      return dataOf(api.PATCH('/v1/collections/{id}', { params, body: { name: name.trim() } }));
    },
    onSuccess: async () => {
      showDone(`Renamed to ${name.trim()}.`);
      await onClose();
    },
    // If somebody else changed the folder, the next attempt sends the new version.
    onSettled: () => queryClient.invalidateQueries(collectionsQuery(accountId, api)),
  });
  return (
    <FormDialog
      title="Rename folder"
      submit="Rename folder"
      submission={rename}
      disabled={name.trim() === '' || name.trim() === folder.name}
      onSubmit={() => {
        rename.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={NAME_LIMIT}
        data-autofocus
        error={rename.error === null ? undefined : asFailure(rename.error).problemOf('name')}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
    </FormDialog>
  );
}
