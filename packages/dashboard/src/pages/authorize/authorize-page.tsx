import { Button, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { asFailure } from '../../api/failure.js';
import {
  AccountProvider,
  currentAccount,
  preferredAccount,
  useAccount,
  useSession,
} from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useSearchState, writeSearch } from '../../search-state.js';
import { SignedOutPage } from '../sign-in/signed-out-page.js';
import { authorizationQuery } from './authorization.js';
import { Consent } from './consent.js';

/** Asks whether an app may act for the person in an account. Apps open this page, with their request in the URL. */
export function AuthorizePage() {
  const { user, accounts, roles } = useSession();
  const [accountId, setAccountId] = useState(() => preferredAccount(accounts)?.id);
  const membership = accounts.find(({ id }) => id === accountId);
  const account = useMemo(
    () => membership && user && currentAccount(user, membership, roles),
    [membership, roles, user],
  );
  if (!account) {
    return (
      <Refused title="You don't belong to an account">
        Ask an owner or admin for an invitation. Then start again in the app.
      </Refused>
    );
  }
  return (
    <AccountProvider value={account}>
      <Request onAccount={setAccountId} />
    </AccountProvider>
  );
}

/** Shows the request of an app, or why it was refused. */
function Request({ onAccount }: { onAccount: (accountId: string) => void }) {
  const { id, api } = useAccount();
  const [search] = useSearchState();
  const request = writeSearch(search).slice(1);
  const check = useQuery(authorizationQuery(id, api, request));
  const accountField = <AccountField onChange={onAccount} />;
  if (check.data) {
    return (
      <Consent
        authorization={check.data}
        isChecking={check.isPlaceholderData}
        request={request}
        accountField={accountField}
      />
    );
  }
  const failure = check.error ? asFailure(check.error) : undefined;
  if (failure && REFUSALS.has(failure.status)) {
    return (
      <Refused
        title="This app can't connect"
        below={failure.status !== 400 && accountField}
        redirectUri={failure.details.redirectUri}
      >
        {failure.message}
      </Refused>
    );
  }
  return (
    <SignedOutPage title="Loading…">
      {failure ? (
        <FailureAlert error={failure} onRetry={() => void check.refetch()} />
      ) : (
        <LoadingLines rows={8} height={36} />
      )}
    </SignedOutPage>
  );
}

/** A wrong request, an account that allows no apps, no OAuth, and too many apps. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409]);

/** The account for the app, if the person has several. */
function AccountField({ onChange }: { onChange: (accountId: string) => void }) {
  const { id } = useAccount();
  const { accounts } = useSession();
  if (accounts.length < 2) return null;
  return (
    <NativeSelect
      label="Account"
      data={accounts.map(({ id: value, name }) => ({ value, label: name }))}
      value={id}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}

interface RefusedProps {
  title: string;
  children: ReactNode;
  below?: ReactNode;
  /** Reports the problem to the app. Missing if the app or its address is unknown. */
  redirectUri?: string | undefined;
}

function Refused({ title, children, below, redirectUri }: RefusedProps) {
  // Only an address on this computer has http. The person decides about others, because anyone can register an app.
  const isLoopback = redirectUri?.startsWith('http:') === true;
  useEffect(() => {
    if (isLoopback) window.location.replace(redirectUri);
  }, [isLoopback, redirectUri]);
  return (
    <SignedOutPage title={title}>
      <Text size="sm" role="alert" mb="md">
        {children}
      </Text>
      {below}
      <Text size="sm" c="dimmed">
        The app got no access. You can close this page.
      </Text>
      {redirectUri !== undefined && (
        <Button component="a" variant="default" mt="md" href={redirectUri}>
          Return to the app
        </Button>
      )}
    </SignedOutPage>
  );
}
