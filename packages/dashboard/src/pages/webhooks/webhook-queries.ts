import { useQuery, useQueryClient } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';

export type Webhook = components['schemas']['Webhook'];
export type RegisteredWebhook = components['schemas']['RegisteredWebhook'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryInFull = components['schemas']['DeliveryWithAttempts'];

/** Polling interval for data that changes without the person, in ms. */
const WHILE_PENDING = 3_000;
const WHILE_AT_REST = 5_000;
/** A first attempt usually ends within a second, and somebody who just sent a test event waits for it. */
const BEFORE_FIRST_ATTEMPT = 1_000;

/** Loads a webhook. */
export function useWebhook(webhookId: string) {
  const { id: accountId, api } = useAccount();
  return useQuery({
    queryKey: [accountId, 'webhooks', webhookId],
    queryFn: () => dataOf(api.GET('/v1/webhooks/{id}', { params: { path: { id: webhookId } } })),
    refetchInterval: (query) =>
      every(query.state.data?.lastDeliveryAt === null ? BEFORE_FIRST_ATTEMPT : WHILE_AT_REST)(
        query as never,
      ),
  });
}

/** Reloads everything about webhooks, or about one. */
export function useWebhookRefresh() {
  const { id: accountId } = useAccount();
  const queryClient = useQueryClient();
  return (webhookId?: string) =>
    queryClient.invalidateQueries({
      queryKey: [accountId, 'webhooks', ...(webhookId === undefined ? [] : [webhookId])],
    });
}

/** Returns the polling interval of a list, which is short while one of its deliveries is pending. */
export function pollingOf(deliveries: readonly PolledDelivery[] | undefined): number {
  const pending = deliveries?.filter(({ status }) => status === 'pending') ?? [];
  if (pending.length === 0) return WHILE_AT_REST;
  return pending.some(({ attemptCount }) => attemptCount === 0)
    ? BEFORE_FIRST_ATTEMPT
    : WHILE_PENDING;
}

type PolledDelivery = Pick<Delivery, 'status' | 'attemptCount'>;

/** Loads the test receivers of the account. */
export function useReceivers() {
  const { id: accountId } = useAccount();
  return useQuery({
    queryKey: [accountId, 'receivers'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{accountId}/receivers', {
          params: { path: { accountId: accountId } },
        }),
      ),
  });
}

/** Loads the last deliveries to a test receiver. */
export function useReceived(receiverId: string | undefined) {
  const { id: accountId } = useAccount();
  return useQuery({
    queryKey: [accountId, 'receivers', receiverId, 'deliveries'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{accountId}/receivers/{receiverId}/deliveries', {
          params: { path: { accountId, receiverId: receiverId ?? '' } },
        }),
      ),
    enabled: receiverId !== undefined,
    refetchInterval: every(WHILE_PENDING) as never,
  });
}
