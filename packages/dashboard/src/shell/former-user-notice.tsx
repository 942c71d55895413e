import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../api/client.js';
import { sessionQuery, useSession } from '../api/session.js';
import { showFailure } from '../components/messages.js';

/** Tells people that somebody had signed up with their address before they verified it, until they dismiss it. */
export function FormerUserNotice() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const dismiss = useMutation({
    mutationFn: () => dataOf(dashboardApi.DELETE('/dashboard/api/user/notices/former-user')),
    onError: showFailure,
    onSettled: () => queryClient.invalidateQueries(sessionQuery),
  });
  if (!user?.formerUserSetApart) return null;
  return (
    <Alert
      color="yellow"
      role="status"
      title="Someone else had signed up with your email address"
      mb="md"
    >
      <Text size="sm">
        They never verified {user.email}, so you start with a new user. That person can no longer
        sign in, and nothing they created is yours: their accounts, members, API keys and webhooks
        stay separate.
      </Text>
      <Text size="sm" mt="xs">
        Was it you? Ask another owner of the account to invite you, or ask your operator to add you
        to it.
      </Text>
      <Group mt="sm">
        <Button
          size="xs"
          variant="default"
          loading={dismiss.isPending}
          onClick={() => {
            dismiss.mutate();
          }}
        >
          Dismiss
        </Button>
      </Group>
    </Alert>
  );
}
