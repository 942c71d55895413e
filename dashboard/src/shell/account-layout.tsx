import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { AccountProvider, currentAccount, rememberAccount, useSession } from '../api/session.js';
import { Page } from '../components/page.js';
import { AppLink } from '../components/app-link.js';
import { NotFoundPage } from './not-found-page.js';
import { Shell } from './shell.js';

/** A word in the place of an account's id is a page that there is not. */
const ACCOUNT_ID = /^acct_/;

/** What every page of an account has around it. */
export function AccountLayout() {
  const { accounts, roles } = useSession();
  const { accountId } = useParams({ strict: false });
  const membership = accounts.find(({ id }) => id === accountId);
  const account = useMemo(
    () => membership && currentAccount(membership, roles),
    [membership, roles],
  );
  useEffect(() => {
    if (membership) rememberAccount(membership.id);
  }, [membership]);
  if (accountId !== undefined && !ACCOUNT_ID.test(accountId)) return <NotFoundPage />;
  if (!account) {
    return (
      <Page title="No such account" sentence="It does not exist, or you do not belong to it.">
        <AppLink to="/profile">See your accounts</AppLink>
      </Page>
    );
  }
  return (
    <AccountProvider value={account} key={account.id}>
      <Shell>
        <Outlet />
      </Shell>
    </AccountProvider>
  );
}
