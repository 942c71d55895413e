import { Outlet } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { AccountProvider, currentAccount, preferredAccount, useSession } from '../api/session.js';
import { Shell } from './shell.js';

export function PersonalLayout() {
  return (
    <PersonalShell>
      <Outlet />
    </PersonalShell>
  );
}

/** Frame for pages without an account. Its navigation is that of the account shown last, if there is one. */
export function PersonalShell({ children }: { children: ReactNode }) {
  const { user, accounts, roles } = useSession();
  const membership = preferredAccount(accounts);
  const account = useMemo(
    () => membership && user && currentAccount(user, membership, roles),
    [membership, roles, user],
  );
  const page = <Shell>{children}</Shell>;
  return account ? <AccountProvider value={account}>{page}</AccountProvider> : page;
}
