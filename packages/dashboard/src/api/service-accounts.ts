import { queryOptions, useQuery } from '@tanstack/react-query';
import { dataOf, type V1Client } from './client.js';
import { useAccount } from './session.js';
import type { components } from './v1-schema.js';

export type ServiceAccount = components['schemas']['ServiceAccount'];
export type ServiceRole = ServiceAccount['role'];

/** Loads all service accounts, oldest first. They change with the keys, because each has its number of keys. */
export function serviceAccountsQuery(accountId: string, api: V1Client) {
  return queryOptions({
    queryKey: [accountId, 'keys', 'service-accounts'],
    queryFn: () => dataOf(api.GET('/v1/service-accounts', { params: { query: { limit: 100 } } })),
  });
}

/** Returns the service accounts. Undefined while they load, and if the person may not see them. */
export function useServiceAccounts(): readonly ServiceAccount[] | undefined {
  const { id, api, may } = useAccount();
  return useQuery({
    ...serviceAccountsQuery(id, api),
    enabled: may('keys:read'),
    staleTime: 60_000,
  }).data;
}
