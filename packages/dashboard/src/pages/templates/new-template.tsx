import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { useAllowance } from '../../components/use-allowance.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { TYPES, type DocumentType } from '../documents/document-types.js';

/** Asks for the name of a template. Its text is edited on its page. */
export function NewTemplate({ onClose }: { onClose: CloseDialog }) {
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('templates:write');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [type, setType] = useState<DocumentType>('document');
  const creation = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/templates', {
          body: { name, type, ...(description !== '' && { description }) },
        }),
      ),
    onSuccess: async ({ id }) => {
      await onClose();
      void queryClient.invalidateQueries({ queryKey: [accountId, 'templates'] });
      await navigate({
        to: '/{-$accountId}/templates/$templateId',
        params: { accountId, templateId: id },
      });
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="New template"
      submit="Create template"
      submission={creation}
      disabled={name.trim() === ''}
      onSubmit={() => {
        creation.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        maxLength={200}
        data-autofocus
        value={name}
        error={creation.error && asFailure(creation.error).problemOf('name')}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
        }}
      />
      <Textarea
        label="Description"
        maxLength={2000}
        value={description}
        onChange={({ currentTarget }) => {
          setDescription(currentTarget.value);
        }}
      />
      <NativeSelect
        label="Type"
        data={TYPES.map(([value, label]) => ({ value, label }))}
        value={type}
        onChange={({ currentTarget }) => {
          setType(currentTarget.value as DocumentType);
        }}
      />
    </FormDialog>
  );
}
