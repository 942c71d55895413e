import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import { sessionQuery, useUser } from '../../api/session.js';
import { showDone } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { Form } from '../people/form.js';
import { NameField } from '../people/person-fields.js';

/** The name that others see. */
export function NameSection() {
  const user = useUser();
  const queryClient = useQueryClient();
  const [name, setName] = useState(user.name);
  const save = useMutation({
    mutationFn: () => dataOf(dashboardApi.PATCH('/dashboard/api/user', { body: { name } })),
    onSuccess: async () => {
      showDone('Name saved.');
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <Section title="Name">
      <Stack maw={420}>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            Sign-in email:
          </Text>
          <Text size="sm">{user.email}</Text>
        </Group>
        <Form
          submit="Save name"
          submission={save}
          disabled={name.trim() === '' || name === user.name}
          onSubmit={() => {
            save.mutate();
          }}
        >
          <NameField value={name} onChange={setName} error={save.error} />
        </Form>
      </Stack>
    </Section>
  );
}
