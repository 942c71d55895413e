import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { SessionItem } from '../../api/people.js';
import { every } from '../../api/queries.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { showDone, showFailure } from '../../components/messages.js';
import { countOf } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { deviceOf } from '../people/user-agent.js';

export const SESSIONS = ['sessions'];

const COLUMNS: readonly Column<SessionItem>[] = [
  {
    title: 'Device',
    cell: ({ userAgent, current }) => (
      <Group gap="xs" title={userAgent ?? undefined}>
        {deviceOf(userAgent)} {current && <Badge color="green">This device</Badge>}
      </Group>
    ),
  },
  { title: 'Address', cell: ({ address }) => address ?? 'Unknown' },
  { title: 'Last seen', cell: ({ seenAt }) => <Time at={seenAt} />, kind: 'narrow' },
  {
    title: 'Signed in',
    cell: ({ createdAt }) => <Time at={createdAt} />,
    kind: 'narrow',
    wideOnly: true,
  },
];

/** Lists the sessions of the person. */
export function SessionsSection() {
  const queryClient = useQueryClient();
  const sessions = useQuery({
    queryKey: SESSIONS,
    queryFn: () => dataOf(dashboardApi.GET('/dashboard/api/sessions')),
    refetchInterval: every(60_000) as never,
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: SESSIONS });
  const endOne = useMutation({
    mutationFn: ({ id }: SessionItem) =>
      dashboardApi.DELETE('/dashboard/api/sessions/{sessionId}', {
        params: { path: { sessionId: id } },
      }),
    onSuccess: async (_, { userAgent }) => {
      showDone(`${deviceOf(userAgent)} signed out.`);
      await refresh();
    },
    onError: showFailure,
  });
  const endOthers = useMutation({
    mutationFn: () => dashboardApi.DELETE('/dashboard/api/sessions'),
    onSuccess: async () => {
      showDone('Other sessions signed out.');
      await refresh();
    },
    onError: showFailure,
  });
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section title="Sessions">
      <Stack>
        <Group justify="space-between">
          <Text size="sm">{sessions.data && `Signed in on ${countOf(others + 1, 'device')}.`}</Text>
          <Button
            variant="default"
            disabled={others === 0}
            title={others === 0 ? 'No other active sessions' : undefined}
            loading={endOthers.isPending}
            onClick={() => {
              endOthers.mutate();
            }}
          >
            Sign out other sessions
          </Button>
        </Group>
        <DataTable
          name="Sessions"
          columns={COLUMNS}
          rows={sessions.data}
          idOf={({ id }) => id}
          nameOf={({ userAgent }) => deviceOf(userAgent)}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
          expectedRows={2}
          empty={{ sentence: 'No active sessions' }}
          actions={(session) =>
            !session.current && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Sign out ${deviceOf(session.userAgent)}`}
                onClick={() => {
                  endOne.mutate(session);
                }}
              >
                Sign out
              </Button>
            )
          }
        />
      </Stack>
    </Section>
  );
}
