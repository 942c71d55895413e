import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { PAGE_SIZE, pageOf } from '../../components/pager.js';
import { useSearchState } from '../../search-state.js';
import { pollingOf } from './webhook-queries.js';

export const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

/** The deliveries of a webhook that the address bar asks for: the list, and the panel over it, which goes from one to the next. */
export function useDeliveries(webhookId: string) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const page = pageOf(state);
  const status = STATUSES.find((one) => one === state.status);
  return useQuery({
    queryKey: [accountId, 'webhooks', webhookId, 'deliveries', { page, status }],
    queryFn: () => {
      const query = { page, limit: PAGE_SIZE, ...(status && { status }) };
      const params = { path: { id: webhookId }, query };
      return bodyOf(api.GET('/v1/webhooks/{id}/deliveries', { params }));
    },
    placeholderData: (before) => before,
    refetchInterval: (query) => every(pollingOf(query.state.data?.data))(query as never),
  });
}
