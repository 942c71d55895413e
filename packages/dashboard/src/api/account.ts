import { queryOptions } from '@tanstack/react-query';
import { dashboardApi, dataOf } from './client.js';

/** Returns the account with its retention periods and the limits of each plan. */
export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: [accountId, 'account'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{accountId}', {
          params: { path: { accountId } },
        }),
      ),
    staleTime: 60_000,
  });
}
