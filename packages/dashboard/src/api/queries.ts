import { QueryClient, type Query } from '@tanstack/react-query';
import { reportFailures } from './client.js';
import { asFailure } from './failure.js';

/** How soon a page asks again while the service is away, in ms. */
const AWAY_INTERVAL = 3_000;

/**
 * How often a query is asked again: each `interval` ms while the page is visible, and sooner while the service is away,
 * so that the page comes back by itself.
 */
export function every(interval: number | false) {
  return (query: Query<never, Error, never, never>): number | false => {
    const { error } = query.state;
    if (!error) return interval;
    const { isAway, retryAfter } = asFailure(error);
    return isAway ? (retryAfter ?? 0) * 1_000 || AWAY_INTERVAL : false;
  };
}

/** Answers after which it is worth asking whether the person's role or membership is another one now. */
const ACCESS_MAY_HAVE_CHANGED = new Set([403, 404]);

/** Calls `signedOut` when any answer says that the session has ended, and `refused` when access may have changed. */
export function watchAccess(signedOut: () => void, refused: () => void): void {
  reportFailures(({ status }) => {
    if (status === 401) signedOut();
    else if (ACCESS_MAY_HAVE_CHANGED.has(status)) refused();
  });
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchInterval: every(false) as never,
        staleTime: 2_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
