import { QueryClient, type Query } from '@tanstack/react-query';
import { reportFailures } from './client.js';
import { asFailure } from './failure.js';

/** Interval of requests while the service is unavailable, in ms. */
const OUTAGE_INTERVAL = 3_000;

/**
 * Returns the refetch interval of a query: `interval` ms while the page is visible, and less while the service is
 * unavailable, so that the page recovers without a reload.
 */
export function every(interval: number | false) {
  return (query: Query<never, Error, never, never>): number | false => {
    const { error } = query.state;
    if (!error) return interval;
    const { isUnavailable, retryAfter } = asFailure(error);
    return isUnavailable ? (retryAfter ?? 0) * 1_000 || OUTAGE_INTERVAL : false;
  };
}

/** Statuses after which the person's role or membership may have changed. */
const ACCESS_MAY_HAVE_CHANGED = new Set([403, 404]);

/** Calls `signedOut` when a response says that the session has ended, and `refused` when access may have changed. */
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
