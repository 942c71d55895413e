import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import { asFailure, type Failure } from '../api/failure.js';
import { AccountContext, useSession } from '../api/session.js';
import { AppLink } from './app-link.js';

interface FailureAlertProps {
  error: unknown;
  /** What "Try again" does; without it there is no such button. */
  onRetry?: () => void;
}

/** Shows what went wrong, why, what to do about it, and the request ID. */
export function FailureAlert({ error, onRetry }: FailureAlertProps) {
  const failure = asFailure(error);
  if (failure.status === 403) return <Forbidden failure={failure} />;
  return (
    <Alert color={failure.isAway ? 'orange' : 'red'} role="alert" title={titleOf(failure)}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        {furtherProblems(failure).map(({ field, issue }) => (
          <Text size="sm" key={`${field} ${issue}`}>
            {field}: {issue}
          </Text>
        ))}
        {onRetry && failure.status !== 404 && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
        <RequestId failure={failure} />
      </Stack>
    </Alert>
  );
}

/** Leads to the request in the log, which has failed requests of the dashboard. */
function RequestId({ failure: { requestId } }: { failure: Failure }) {
  const account = useContext(AccountContext);
  if (requestId === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      Request ID:{' '}
      {account?.may('usage:read') === true ? (
        <AppLink to="/{-$accountId}/requests/$requestId" params={{ requestId }} search={{}}>
          {requestId}
        </AppLink>
      ) : (
        requestId
      )}
    </Text>
  );
}

/** Returns the problems that the message does not mention. */
function furtherProblems({ message, details }: Failure) {
  return (details.problems ?? []).filter(({ issue }) => !message.includes(issue));
}

function titleOf(failure: Failure): string {
  if (failure.isAway) return "Can't reach the server";
  switch (failure.status) {
    case 404:
      return 'Not found';
    case 429:
      return /\bchanges\b/.test(failure.message)
        ? 'Too many changes this minute'
        : 'Too many requests';
    default:
      return 'Something went wrong';
  }
}

/** Shows which roles are allowed to do this. */
function Forbidden({ failure }: { failure: Failure }) {
  const { roles } = useSession();
  const { requiredScopes, requiredRoles } = failure.details;
  const names =
    requiredRoles ??
    (requiredScopes === undefined
      ? []
      : Object.entries(roles)
          .filter(
            ([, scopes]) =>
              scopes.includes('*') || requiredScopes.every((one) => scopes.includes(one)),
          )
          .map(([role]) => role));
  return (
    <Alert color="orange" role="alert" title="You don't have access">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        {names.length > 0 && (
          <Text size="sm">
            Required role: {names.join(' or ')}. Ask an owner to change your role in{' '}
            <Anchor component={AppLink} to="/{-$accountId}/members" inherit>
              Members
            </Anchor>
            .
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
