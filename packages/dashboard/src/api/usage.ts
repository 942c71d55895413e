import { queryOptions } from '@tanstack/react-query';
import { bodyOf, type V1Client } from './client.js';

/** Loads the usage of an account, and by how many ms the browser's clock is ahead of the service's. */
export function usageQuery(accountId: string, api: V1Client) {
  return queryOptions({
    queryKey: [accountId, 'usage'],
    queryFn: async () => {
      const { data, meta } = await bodyOf(api.GET('/v1/usage'));
      return { usage: data, clockSkewMs: Date.now() - Date.parse(meta.timestamp) };
    },
  });
}
