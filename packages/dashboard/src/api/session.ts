import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { dashboardApi, dataOf, v1, type V1Client } from './client.js';
import { hasUnsavedInput } from '../unsaved-input.js';
import { Failure } from './failure.js';
import { every } from './queries.js';
import type { AccountMembership, SessionState, SessionUser } from './people.js';

/** Interval of requests for the person's access, in ms. */
const REFRESH_INTERVAL = 15_000;

/** Loads the signed-in person with their accounts, and whether strangers may sign up. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await dataOf(dashboardApi.GET('/dashboard/api/session'));
    // Keep the page. The user can sign in again in another tab, or discard the input.
    if (!session.user && hasUnsavedInput()) throw new Failure('You are signed out.', 401);
    return session;
  },
  staleTime: 60_000,
  // Shows a new role or a removed membership soon. The service enforces both immediately.
  refetchInterval: every(REFRESH_INTERVAL) as never,
  // The person may have signed in or out in another tab.
  refetchOnWindowFocus: 'always',
});

export function useSession(): SessionState {
  return useSuspenseQuery(sessionQuery).data;
}

/** Returns the signed-in person. Only for routes that require a session. */
export function useUser(): SessionUser {
  const { user } = useSession();
  if (!user) throw new Error('Sign in to see this page.');
  return user;
}

export type Scope = SessionState['roles']['owner'][number];

/** The account of a page, and what the person may do in it. */
export interface CurrentAccount extends AccountMembership {
  /** Client of `/v1` of the account. */
  api: V1Client;
  /** Returns whether the person's role has the scope. */
  may: (scope: Scope) => boolean;
  /** Reason to show where `may` returns false although the role has the scope. */
  whyNot?: string;
}

export const AccountContext = createContext<CurrentAccount | undefined>(undefined);
export const AccountProvider = AccountContext.Provider;

export function useAccount(): CurrentAccount {
  const account = useContext(AccountContext);
  if (!account) throw new Error('Select an account to see this page.');
  return account;
}

export function currentAccount(
  user: SessionUser,
  membership: AccountMembership,
  roles: SessionState['roles'],
): CurrentAccount {
  const granted = roles[membership.role];
  return {
    ...membership,
    api: v1(membership.id, user.id),
    may: (scope) => granted.includes('*') || granted.includes(scope),
  };
}

const LAST_ACCOUNT = 'document-service-account';

/** Returns the account for pages without one in their path: the last one shown, or the first. */
export function preferredAccount(accounts: readonly AccountMembership[]) {
  const last = localStorage.getItem(LAST_ACCOUNT);
  return accounts.find(({ id }) => id === last) ?? accounts[0];
}

export function rememberAccount(id: string): void {
  localStorage.setItem(LAST_ACCOUNT, id);
}

const USER_OF_TAB = 'document-service-user';

/** Remembers whose pages this tab shows. Unlike the cookie, this belongs to one tab and survives a reload. */
export function rememberUserOfTab(userId: string): void {
  sessionStorage.setItem(USER_OF_TAB, userId);
}

export function isTabOfOtherUser(userId: string): boolean {
  return (sessionStorage.getItem(USER_OF_TAB) ?? userId) !== userId;
}
