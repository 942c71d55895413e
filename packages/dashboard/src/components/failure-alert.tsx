import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import { asFailure, type Failure } from '../api/failure.js';
import { AccountContext, useSession } from '../api/session.js';
import { AppLink } from './app-link.js';
import { CopyButton } from './copy-button.js';

interface FailureAlertProps {
  error: unknown;
  /** Action of "Try again". Without it, there is no button. */
  onRetry?: () => void;
}

/** Shows what failed, why, what to do, and the request ID. */
export function FailureAlert({ error, onRetry }: FailureAlertProps) {
  const failure = asFailure(error);
  if (failure.status === 403) return <Forbidden failure={failure} />;
  return (
    <Alert color={failure.isUnavailable ? 'orange' : 'red'} role="alert" title={titleOf(failure)}>
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

/** Shows the request ID, as a link for people who may read the request log. */
function RequestId({ failure: { requestId, status } }: { failure: Failure }) {
  const account = useContext(AccountContext);
  if (requestId === undefined) return null;
  // Requests without a valid session belong to no account.
  const isLogged = status !== 401 && account?.may('usage:read') === true;
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed">
        Request ID:{' '}
        {isLogged ? (
          <AppLink to="/{-$accountId}/requests/$requestId" params={{ requestId }} search={{}}>
            {requestId}
          </AppLink>
        ) : (
          requestId
        )}
      </Text>
      <CopyButton name="Copy request ID" text={requestId} />
    </Group>
  );
}

/** Returns the problems that the message does not mention. */
function furtherProblems({ message, details }: Failure) {
  return (details.problems ?? []).filter(({ issue }) => !message.includes(issue));
}

function titleOf(failure: Failure): string {
  if (failure.isUnavailable) return "Can't reach the server";
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
        <RequestId failure={failure} />
      </Stack>
    </Alert>
  );
}
