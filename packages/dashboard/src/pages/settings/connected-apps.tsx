import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { AccountDetails } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { showDone } from '../../components/messages.js';
import { Form } from '../people/form.js';

type Setting = AccountDetails['connectedApps'];

const CHOICES: readonly (readonly [value: Setting, label: string, description: string])[] = [
  ['everyone', 'Everyone', 'Each person can connect apps, which never exceed their role.'],
  ['admins', 'Owners and admins', 'Apps of members and viewers lose access.'],
  ['nobody', 'Nobody', 'All connected apps lose access. API keys keep working.'],
];

/** Who can connect apps. Only owners can change it. */
export function ConnectedApps({ account }: { account: AccountDetails }) {
  const queryClient = useQueryClient();
  const { role } = useAccount();
  const [setting, setSetting] = useState(account.connectedApps);
  const mayChange = role === 'owner';
  const whyNot = mayChange ? undefined : `Only owners can change this. Your role is ${role}.`;
  const save = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.PATCH('/dashboard/api/accounts/{accountId}', {
          params: { path: { accountId: account.id } },
          body: { connectedApps: setting },
        }),
      ),
    onSuccess: (changed) => {
      showDone('Saved');
      queryClient.setQueryData([account.id, 'account'], changed);
    },
  });
  return (
    <Form
      submit="Save connected apps"
      submission={save}
      disabled={setting === account.connectedApps}
      whyNot={whyNot}
      onSubmit={() => {
        save.mutate();
      }}
    >
      <Radio.Group
        label="Who can connect apps"
        description="Apps such as MCP clients ask a person for access, without an API key."
        value={setting}
        onChange={(value) => {
          setSetting(value as Setting);
        }}
      >
        <Stack gap="xs" mt="xs">
          {CHOICES.map(([value, label, description]) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              disabled={!mayChange}
            />
          ))}
        </Stack>
      </Radio.Group>
      {whyNot !== undefined && (
        <Text size="sm" c="dimmed">
          {whyNot}
        </Text>
      )}
    </Form>
  );
}
