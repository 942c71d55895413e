import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { PAGE_SIZE, pageOf } from '../../components/pager.js';
import { useSearchState } from '../../search-state.js';
import { pollingOf } from './webhook-queries.js';

export const STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

const DELIVERY_OR_EVENT_ID = /^(?:dlv|evt)_[0-9a-z]{26}$/;

/** Returns whether a text is the complete ID of a delivery or an event, with optional white space around it. */
export function isDeliveryOrEventId(text: string): boolean {
  return DELIVERY_OR_EVENT_ID.test(text.trim());
}

/** Loads the deliveries for the URL. The list shares them with the panel, which opens the previous or next one. */
export function useDeliveries(webhookId: string) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const page = pageOf(state);
  const status = STATUSES.find((one) => one === state.status);
  const filters = { ...(status && { status }), ...idFilter(state.id) };
  return useQuery({
    queryKey: [accountId, 'webhooks', webhookId, 'deliveries', { page, ...filters }],
    queryFn: () => {
      const query = { page, limit: PAGE_SIZE, ...filters };
      const params = { path: { id: webhookId }, query };
      return bodyOf(api.GET('/v1/webhooks/{id}/deliveries', { params }));
    },
    placeholderData: (before) => before,
    refetchInterval: (query) => every(pollingOf(query.state.data?.data))(query as never),
  });
}

function idFilter(text = ''): { deliveryId?: string; eventId?: string } {
  if (!isDeliveryOrEventId(text)) return {};
  const id = text.trim();
  return id.startsWith('dlv_') ? { deliveryId: id } : { eventId: id };
}
