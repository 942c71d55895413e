import { Outlet } from '@tanstack/react-router';
import { useMemo } from 'react';
import { AccountProvider, currentAccount, preferredAccount, useSession } from '../api/session.js';
import { Shell } from './shell.js';

/** What pages about a person have around them: the navigation of the account looked at last, if there is one. */
export function PersonalLayout() {
  const { accounts, roles } = useSession();
  const membership = preferredAccount(accounts);
  const account = useMemo(
    () => membership && currentAccount(membership, roles),
    [membership, roles],
  );
  const page = (
    <Shell>
      <Outlet />
    </Shell>
  );
  return account ? <AccountProvider value={account}>{page}</AccountProvider> : page;
}
