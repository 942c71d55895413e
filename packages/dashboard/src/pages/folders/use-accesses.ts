import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useCollections } from '../../api/collections.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { foldersOf } from './folders.js';

export type OwnAccess = NonNullable<components['schemas']['CollectionAccess']['access']>;

/** Maximum number of folders with their own access to load. */
const MOST = 200;
/** Maximum number of requests in flight. */
const AT_ONCE = 5;

/** Loads the folders, and who can open those with their own access. For people who manage all of them. */
export function useAccesses() {
  const { id: accountId, api } = useAccount();
  const collections = useCollections();
  const restricted = collections.data?.filter(({ isRestricted }) => isRestricted) ?? [];
  const ids = restricted.map(({ id }) => id).slice(0, MOST);
  const accesses = useQuery({
    queryKey: [accountId, 'collection-access', 'all', ids],
    queryFn: async () => {
      const found = new Map<string, OwnAccess>();
      const read = async (id: string) => {
        const params = { path: { id } };
        const { access } = await dataOf(api.GET('/v1/collections/{id}/access', { params }));
        if (access) found.set(id, access);
      };
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        await Promise.all(ids.slice(at, at + AT_ONCE).map(read));
      }
      return found;
    },
    enabled: collections.data !== undefined,
    structuralSharing: false,
  });
  return {
    folders: collections.data && foldersOf(collections.data),
    accesses: accesses.data,
    error: collections.error ?? accesses.error,
    /** True if more folders have their own access. */
    hasMore: restricted.length > MOST,
    refetch: () => {
      void collections.refetch();
      void accesses.refetch();
    },
  };
}
