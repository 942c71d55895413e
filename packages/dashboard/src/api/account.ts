import { queryOptions } from '@tanstack/react-query';
import { dashboardApi, dataOf } from './client.js';

/** The account itself, with for how long things are kept, and what each plan allows. */
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
