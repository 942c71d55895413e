import { queryOptions, useQuery } from '@tanstack/react-query';
import { allPages, LARGEST_PAGE } from './all-pages.js';
import { bodyOf, dataOf, type V1Client } from './client.js';
import { every } from './queries.js';
import { useAccount } from './session.js';
import type { components } from './v1-schema.js';

export type ApiKey = components['schemas']['ApiKey'];

/** Maximum number of keys to load. Expired and revoked keys stay listed forever. */
const MOST_KEYS = 2_000;

/** Loads all keys of an account, newest first, to show their names. */
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

export interface KeyFilter {
  status: 'active' | 'inactive';
  /** Keys that programs send, or those of connected apps. */
  kind?: 'key' | 'app';
}

/** Loads one page of the keys that a filter selects, newest first. */
export function keyPageQuery(
  accountId: string,
  api: V1Client,
  { page, limit, ...filter }: KeyFilter & { page: number; limit: number },
) {
  const list = JSON.stringify(filter);
  return queryOptions({
    queryKey: [accountId, 'keys', list, page],
    queryFn: () => {
      const query = { ...filter, page, limit };
      return bodyOf(api.GET('/v1/keys', { params: { query } }));
    },
    // Not the keys of another tab.
    placeholderData: (before, query) => (query?.queryKey[2] === list ? before : undefined),
  });
}

/** Loads one key. */
export function keyQuery(accountId: string, api: V1Client, keyId: string) {
  return queryOptions({
    queryKey: [accountId, 'keys', keyId],
    queryFn: () => dataOf(api.GET('/v1/keys/{id}', { params: { path: { id: keyId } } })),
  });
}

/** Returns the keys. Undefined while they load, and if the person may not see them. */
export function useKeys() {
  const { id, api, may } = useAccount();
  return useQuery({
    ...keysQuery(id, api),
    enabled: may('keys:read'),
    refetchInterval: every(60_000) as never,
  });
}

/** Returns the IDs and names of the keys, as options of a filter. Empty while they load. */
export function useKeyOptions() {
  const { data = [] } = useKeys();
  return data.map(({ id, name, lastFour }) => [id, `${name} (…${lastFour})`] as const);
}
