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

/** The end of the account, for its owners. */
export function DeleteAccount({ account }: { account: AccountDetails }) {
  const { dialog, open, close } = useDialogs();
  const { role } = useAccount();
  const mayDelete = role === 'owner';
  return (
    <Section title="End of the account">
      <Stack align="flex-start">
        <Text size="sm" maw={620}>
          {mayDelete
            ? 'Deletes the account for everybody in it: documents, templates, API keys, webhooks, events and files. There is no way back. Export it first, on the page Jobs.'
            : `Only an owner deletes the account; your role is ${role}.`}
        </Text>
        <Button
          color="red"
          variant="outline"
          disabled={!mayDelete}
          title={mayDelete ? undefined : 'Only an owner deletes the account.'}
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
      showDone(`${account.name} is deleted.`);
    },
  });
  return (
    <FormDialog
      whyNot={role === 'owner' ? undefined : 'Only an owner deletes the account.'}
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
        Everything in <strong>{account.name}</strong> is deleted at once, for everybody. There is no
        way back.
      </Text>
      <TextInput
        label="Account name"
        description="Type the name of the account, as it is written above."
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
