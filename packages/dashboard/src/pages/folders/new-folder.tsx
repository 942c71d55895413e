import { Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { collectionsQuery } from '../../api/collections.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { pathName, type Folder, type Folders } from './folders.js';

export const NAME_LIMIT = 200;

interface NewFolderProps {
  folders: Folders;
  /** The folder that will contain it. */
  parent: Folder | undefined;
  onCreated: (id: string) => void;
  onClose: CloseDialog;
}

export function NewFolder({ folders, parent, onCreated, onClose }: NewFolderProps) {
  const { id: accountId, api, may } = useAccount();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const create = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        parentId: parent?.id ?? null,
        // The person who creates the folder becomes its manager.
        ...(isPrivate && { access: { everyone: null, people: [] } }),
      };
      return dataOf(api.POST('/v1/collections', { body }));
    },
    onSuccess: async ({ id }) => {
      showDone(`${name.trim()} created.`);
      await queryClient.invalidateQueries(collectionsQuery(accountId, api));
      await onClose();
      onCreated(id);
    },
  });
  return (
    <FormDialog
      title="New folder"
      submit="Create folder"
      submission={create}
      disabled={name.trim() === ''}
      onSubmit={() => {
        create.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description={parent && `In ${pathName(folders, parent.id)}`}
        value={name}
        maxLength={NAME_LIMIT}
        data-autofocus
        error={create.error === null ? undefined : asFailure(create.error).problemOf('name')}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      {may('access:write') && (
        <Checkbox
          label="Private"
          description="Only you, owners and admins can open it until you give others access."
          checked={isPrivate}
          onChange={({ currentTarget }) => {
            setPrivate(currentTarget.checked);
          }}
        />
      )}
    </FormDialog>
  );
}
