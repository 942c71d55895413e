import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/client.js';
import type { AccountDetails } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { problemOf } from '../people/person-fields.js';
import { useForgetAccount } from '../people/use-forget-account.js';

/** Deletes the account, for owners. */
export function DeleteAccount({ account }: { account: AccountDetails }) {
  const { dialog, open, close } = useDialogs();
  const { role } = useAccount();
  const mayDelete = role === 'owner';
  return (
    <Section title="Delete account">
      <Stack align="flex-start">
        <Text size="sm" maw={620}>
          {mayDelete
            ? "Deletes the account and all its data for everyone. You can't undo this. Export the account in Jobs first."
            : `Only an owner can delete the account. Your role is ${role}.`}
        </Text>
        <Button
          color="red"
          variant="outline"
          disabled={!mayDelete}
          title={mayDelete ? undefined : 'Only an owner can delete the account.'}
          onClick={() => {
            open('delete-account');
          }}
        >
          Delete account
        </Button>
      </Stack>
      {dialog === 'delete-account' && <DeleteDialog account={account} onClose={close} />}
    </Section>
  );
}

function DeleteDialog({ account, onClose }: { account: AccountDetails; onClose: CloseDialog }) {
  const { role } = useAccount();
  const forget = useForgetAccount();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () =>
      dashboardApi.DELETE('/dashboard/api/accounts/{accountId}', {
        params: { path: { accountId: account.id } },
        body: { name: typed },
      }),
    onSuccess: async () => {
      await onClose();
      await forget(account.id);
      showDone(`${account.name} deleted.`);
    },
  });
  return (
    <FormDialog
      whyNot={role === 'owner' ? undefined : 'Only an owner can delete the account.'}
      title="Delete account"
      submit="Delete account"
      color="red"
      submission={remove}
      disabled={typed !== account.name}
      onSubmit={() => {
        remove.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        Deletes everything in <strong>{account.name}</strong> immediately for everyone. You can't
        undo this.
      </Text>
      <TextInput
        label="Account name"
        description="Enter the account name to confirm."
        autoComplete="off"
        data-autofocus
        value={typed}
        error={problemOf(remove.error, 'name')}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
      />
    </FormDialog>
  );
}
