import { useQuery } from '@tanstack/react-query';
import { dashboardApi, dataOf } from './client.js';
import { useAccount } from './session.js';

/** Returns names by person ID. People who left have none. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const { id } = useAccount();
  const members = useQuery({
    queryKey: [id, 'members'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{accountId}/members', {
          params: { path: { accountId: id } },
        }),
      ),
    staleTime: 60_000,
  });
  return new Map(members.data?.map(({ userId, name }) => [userId, name]));
}
