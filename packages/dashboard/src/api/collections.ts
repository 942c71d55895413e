import { queryOptions, useQuery } from '@tanstack/react-query';
import { dataOf, type V1Client } from './client.js';
import { every } from './queries.js';
import { useAccount } from './session.js';
import type { components } from './v1-schema.js';

export type Collection = components['schemas']['CollectionListItem'];
/** What a person may do in a folder. */
export type Right = Collection['right'];

/** Maximum number of folders in an account. One page can list them all. */
const MOST_COLLECTIONS = 1_000;

/**
 * Loads the folders that the person can see, with the numbers of their documents. The key starts like that of the lists of
 * documents, so that a change of documents reloads both.
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

/** Loads the folders, if the person may read documents. */
export function useCollections({ enabled = true } = {}) {
  const { id, api, may } = useAccount();
  return useQuery({ ...collectionsQuery(id, api), enabled: enabled && may('documents:read') });
}
