import { queryOptions, useQuery } from '@tanstack/react-query';
import { dataOf, type V1Client } from './client.js';
import { every } from './queries.js';
import { useAccount } from './session.js';
import type { components } from './v1-schema.js';

export type Collection = components['schemas']['CollectionListItem'];
/** What a person may do in a folder. */
export type Right = Collection['right'];

/** An account can have this many, and one page can list them all. */
const MOST_COLLECTIONS = 1_000;

/**
 * Loads the folders that the person can see, with the numbers of their documents. The key is that of the lists of
 * documents, which change at the same time.
 */
export function collectionsQuery(accountId: string, api: V1Client) {
  return queryOptions({
    queryKey: [accountId, 'documents', 'list', 'collections'],
    queryFn: ({ signal }) => {
      const query = { limit: MOST_COLLECTIONS, include: 'counts' } as const;
      return dataOf(api.GET('/v1/collections', { params: { query }, signal }));
    },
    refetchInterval: every(30_000) as never,
  });
}

/** Returns the query of the folders that the person can see. */
export function useCollections({ enabled = true } = {}) {
  const { id, api, may } = useAccount();
  return useQuery({ ...collectionsQuery(id, api), enabled: enabled && may('documents:read') });
}
