import { useQuery } from '@tanstack/react-query';
import { dashboardApi, dataOf } from './client.js';
import { useServiceAccounts } from './service-accounts.js';
import { useAccount } from './session.js';

/** Returns names by ID of members, and of service accounts for people who may see keys. People who left have none. */
export function useMemberNames(): ReadonlyMap<string, string> {
  const { id } = useAccount();
  const services = useServiceAccounts() ?? [];
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
  return new Map([
    ...(members.data ?? []).map(({ userId, name }) => [userId, name] as const),
    ...services.map((service) => [service.id, service.name] as const),
  ]);
}
