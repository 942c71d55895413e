import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { dashboardApi, dataOf, v1, type V1Client } from './client.js';
import { every } from './queries.js';
import type { AccountMembership, SessionState, SessionUser } from './dashboard-schema.js';

/** Rest between two looks at what the person may do, in ms. */
const REFRESH_INTERVAL = 15_000;

/** Who has signed in, to which accounts; and whether strangers may sign up. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => dataOf(dashboardApi.GET('/dashboard/api/session')),
  staleTime: 60_000,
  // Another role, or the end of a membership, shows soon; the service itself obeys it at once.
  refetchInterval: every(REFRESH_INTERVAL) as never,
});

export function useSession(): SessionState {
  return useSuspenseQuery(sessionQuery).data;
}

/** The person who has signed in. Only below the routes that need one. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('This page needs somebody who has signed in.');
  return user;
}

/** The account that a page is about, with what the person may do in it. */
export interface CurrentAccount extends AccountMembership {
  /** `/v1` of the account. */
  api: V1Client;
  /** Whether the person's role has the scope. */
  may: (scope: string) => boolean;
}

export const AccountContext = createContext<CurrentAccount | undefined>(undefined);
export const AccountProvider = AccountContext.Provider;

export function useAccount(): CurrentAccount {
  const account = useContext(AccountContext);
  if (!account) throw new Error('This page needs an account.');
  return account;
}

export function currentAccount(
  membership: AccountMembership,
  roles: SessionState['roles'],
): CurrentAccount {
  const granted = roles[membership.role];
  return {
    ...membership,
    api: v1(membership.id),
    may: (scope) => granted.includes('*') || granted.includes(scope),
  };
}

const LAST_ACCOUNT = 'document-service-account';

/** The account that a page without one in its path means: the last one looked at, or the first. */
export function preferredAccount(accounts: readonly AccountMembership[]) {
  const last = localStorage.getItem(LAST_ACCOUNT);
  return accounts.find(({ id }) => id === last) ?? accounts[0];
}

export function rememberAccount(id: string): void {
  localStorage.setItem(LAST_ACCOUNT, id);
}
