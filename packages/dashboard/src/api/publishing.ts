import { useQuery } from '@tanstack/react-query';
import { dataOf } from './client.js';
import { useAccount } from './session.js';

/** Loads the publishing settings of the account. */
export function usePublishing({ enabled = true } = {}) {
  const { id, api } = useAccount();
  return useQuery({
    queryKey: [id, 'publishing'],
    queryFn: () => dataOf(api.GET('/v1/publishing')),
    enabled,
    staleTime: 60_000,
  });
}
