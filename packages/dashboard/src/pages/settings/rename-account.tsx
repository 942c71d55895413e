import { Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { AccountDetails } from '../../api/people.js';
import { sessionQuery, useAccount } from '../../api/session.js';
import { showDone } from '../../components/messages.js';
import { Form } from '../people/form.js';
import { problemOf } from '../people/person-fields.js';

export function RenameAccount({ account }: { account: AccountDetails }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(account.name);
  const { role } = useAccount();
  const mayRename = role === 'owner';
  const rename = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.PATCH('/dashboard/api/accounts/{accountId}', {
          params: { path: { accountId: account.id } },
          body: { name },
        }),
      ),
    onSuccess: async (changed) => {
      showDone('Account renamed.');
      setName(changed.name);
      queryClient.setQueryData([account.id, 'account'], changed);
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <Group maw={420} align="stretch" display="block">
      <Form
        submit="Save name"
        submission={rename}
        whyNot={mayRename ? undefined : `Only owners can rename the account. Your role is ${role}.`}
        disabled={name.trim() === '' || name === account.name}
        onSubmit={() => {
          rename.mutate();
        }}
      >
        <TextInput
          label="Account name"
          value={name}
          maxLength={200}
          readOnly={!mayRename}
          error={problemOf(rename.error, 'name')}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
          }}
        />
        {!mayRename && (
          <Text size="sm" c="dimmed">
            Only owners can rename the account. Your role is {role}.
          </Text>
        )}
      </Form>
    </Group>
  );
}
