import { queryOptions, useQuery } from '@tanstack/react-query';
import { allPages, LARGEST_PAGE } from './all-pages.js';
import { bodyOf, type V1Client } from './client.js';
import { every } from './queries.js';
import { useAccount } from './session.js';
import type { components } from './v1-schema.js';

export type ApiKey = components['schemas']['ApiKey'];

/** Maximum number of keys to load. Expired and revoked keys stay listed forever. */
export const MOST_KEYS = 2_000;

/** All keys of an account, newest first. The API cannot filter by state. */
export function keysQuery(accountId: string, api: V1Client) {
  return queryOptions({
    queryKey: [accountId, 'keys'],
    queryFn: () =>
      allPages(
        (cursor) =>
          bodyOf(api.GET('/v1/keys', { params: { query: { cursor, limit: LARGEST_PAGE } } })),
        { most: MOST_KEYS },
      ),
  });
}

/** The keys, where the person may see them; undefined where not, and until they are there. */
export function useKeys() {
  const { id, api, may } = useAccount();
  return useQuery({
    ...keysQuery(id, api),
    enabled: may('keys:read'),
    refetchInterval: every(60_000) as never,
  });
}
