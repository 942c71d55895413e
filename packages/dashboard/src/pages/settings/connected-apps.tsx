import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone } from '../../components/messages.js';
import { LoadingLines } from '../../components/page-loading.js';
import { Form } from '../people/form.js';

type Setting = components['schemas']['AccountDetails']['connectedApps'];

const CHOICES: readonly (readonly [value: Setting, label: string, description: string])[] = [
  ['everyone', 'Everyone', 'Each person can connect apps, which never exceed their role.'],
  ['admins', 'Owners and admins', 'Apps of members and viewers lose access.'],
  ['nobody', 'Nobody', 'All connected apps lose access. API keys keep working.'],
];

/** Who can connect apps. */
export function ConnectedApps() {
  const { id, api } = useAccount();
  const account = useQuery({
    queryKey: [id, 'connected-apps'],
    queryFn: () => dataOf(api.GET('/v1/account')),
  });
  if (account.data) return <SettingForm current={account.data.connectedApps} />;
  if (!account.error) return <LoadingLines rows={4} height={28} />;
  return <FailureAlert error={account.error} onRetry={() => void account.refetch()} />;
}

/** Only owners can change the setting. */
function SettingForm({ current }: { current: Setting }) {
  const { id, api, may, role } = useAccount();
  const queryClient = useQueryClient();
  const [setting, setSetting] = useState(current);
  const mayChange = may('*');
  const whyNot = mayChange ? undefined : `Only owners can change this. Your role is ${role}.`;
  const save = useMutation({
    mutationFn: () => dataOf(api.PATCH('/v1/account', { body: { connectedApps: setting } })),
    onSuccess: (changed) => {
      showDone('Saved');
      queryClient.setQueryData([id, 'connected-apps'], changed);
    },
  });
  return (
    <Form
      submit="Save connected apps"
      submission={save}
      disabled={setting === current}
      whyNot={whyNot}
      onSubmit={() => {
        save.mutate();
      }}
    >
      <Radio.Group
        label="Who can connect apps"
        description="Apps such as MCP clients ask a person for access, without an API key."
        value={setting}
        onChange={setSetting}
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
