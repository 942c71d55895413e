import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { asFailure } from '../../api/failure.js';
import type { AccountMembership } from '../../api/people.js';
import {
  AccountProvider,
  currentAccount,
  preferredAccount,
  useAccount,
  useSession,
} from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useSearchState } from '../../search-state.js';
import { SignedOutPage } from '../sign-in/signed-out-page.js';
import { authorizationQuery, authorize, type Authorization } from './authorization.js';
import { ConsentForm, type Consent } from './consent-form.js';

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
      <SignedOutPage
        title="Connect an app"
        sentence="You don't belong to an account. Ask an owner or admin for an invitation, then start again in the app."
      >
        {null}
      </SignedOutPage>
    );
  }
  return (
    <AccountProvider value={account}>
      <Request onAccount={setAccountId} />
    </AccountProvider>
  );
}

interface RequestProps {
  onAccount: (accountId: string) => void;
}

/** Shows the request of an app, or why it was refused. A refused request never leaves this page. */
function Request({ onAccount }: RequestProps) {
  const { id, api } = useAccount();
  const { accounts } = useSession();
  const [request] = useSearchState();
  const check = useQuery(authorizationQuery(id, api, request));
  const accountField = accounts.length > 1 && (
    <NativeSelect
      label="Account"
      data={accounts.map(({ id: value, name }) => ({ value, label: name }))}
      value={id}
      onChange={({ currentTarget }) => {
        onAccount(currentTarget.value);
      }}
    />
  );
  if (check.data) {
    return <Ask key={id} authorization={check.data} request={request} accountField={accountField} />;
  }
  if (!check.error) {
    return (
      <SignedOutPage title="Loading…">
        <LoadingLines rows={6} height={36} />
      </SignedOutPage>
    );
  }
  const failure = asFailure(check.error);
  if (failure.isUnavailable) ...
}
