import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
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

/** `signedOut` is called when any answer says that the session has ended. */
export function createQueryClient(signedOut: () => void): QueryClient {
  const hear = (error: Error) => {
    if (asFailure(error).status === 401) signedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: hear }),
    mutationCache: new MutationCache({ onError: hear }),
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
