import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { dataOf } from './client.js';
import { useAccount } from './session.js';
import type { components } from './v1-schema.js';

export type PublishingSettings = components['schemas']['Publishing'];

/** Loads the publishing settings of the account. */
export function usePublishing(
  options: Pick<UseQueryOptions<PublishingSettings>, 'enabled' | 'refetchInterval'> = {},
) {
  const { id, api } = useAccount();
  return useQuery({
    queryKey: [id, 'publishing'],
    queryFn: () => dataOf(api.GET('/v1/publishing')),
    staleTime: 60_000,
    ...options,
  });
}
