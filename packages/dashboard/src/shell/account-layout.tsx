import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import {
  AccountProvider,
  currentAccount,
  isTabOfOtherUser,
  rememberAccount,
  rememberUserOfTab,
  useSession,
} from '../api/session.js';
import { Page } from '../components/page.js';
import { AppLink } from '../components/app-link.js';
import { NotFoundPage } from './not-found-page.js';
import { OtherPersonPage } from './other-person-page.js';
import { PersonalShell } from './personal-layout.js';
import { Shell } from './shell.js';

/** A word in place of an account ID is a page that does not exist. */
const ACCOUNT_ID = /^acct_/;

/** Layout of all pages of an account. */
export function AccountLayout() {
  const { user, accounts, roles } = useSession();
  const { accountId } = useParams({ strict: false });
  const membership = accounts.find(({ id }) => id === accountId);
  const account = useMemo(
    () => membership && user && currentAccount(user, membership, roles),
    [membership, roles, user],
  );
  useEffect(() => {
    if (!membership || !user) return;
    rememberAccount(membership.id);
    rememberUserOfTab(user.id);
  }, [membership, user]);
  if (accountId !== undefined && !ACCOUNT_ID.test(accountId)) return <NotFoundPage />;
  if (!account) {
    // If another person signs in from another tab, this tab keeps its page until it reloads.
    if (user && isTabOfOtherUser(user.id)) {
      return <OtherPersonPage user={user} />;
    }
    return (
      <PersonalShell>
        <Page
          title="Account not found"
          sentence={`The account doesn't exist or ${user?.email ?? 'your user'} doesn't have access.`}
        >
          <AppLink to="/profile">See your accounts</AppLink>
        </Page>
      </PersonalShell>
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
