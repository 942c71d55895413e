import { Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { CopyButton } from '../../components/copy-button.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone, showFailure } from '../../components/messages.js';
import { LoadingLines } from '../../components/page-loading.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { SidePanel } from '../../components/side-panel.js';
import { useNow } from '../../components/time.js';
import { useDeliveries } from './deliveries-list.js';
import { DeliveryStatus } from './deliveries-tab.js';
import { AttemptView } from './delivery-attempt.js';
import { DeliveryBody } from './delivery-body.js';
import { curlOf } from './delivery-curl.js';
import classes from './delivery-panel.module.css';
import { DeliveryFacts } from './delivery-facts.js';
import { outcomeOf, stateOf } from './delivery-words.js';
import { ReceivedSignature } from './received-signature.js';
import {
  pollingOf,
  useWebhook,
  useWebhookRefresh,
  type DeliveryInFull,
} from './webhook-queries.js';

/** Shows a delivery over the list: its outcome and each attempt. */
export function DeliveryPanel() {
  const { webhookId = '', deliveryId = '' } = useParams({ strict: false });
  const { id: accountId, api } = useAccount();
  const move = useMoves(webhookId, deliveryId);
  const delivery = useQuery({
    queryKey: [accountId, 'webhooks', webhookId, 'delivery', deliveryId],
    queryFn: () => {
      const path = { id: webhookId, deliveryId };
      return dataOf(api.GET('/v1/webhooks/{id}/deliveries/{deliveryId}', { params: { path } }));
    },
    refetchInterval: (query) =>
      every(query.state.data?.status === 'pending' ? pollingOf([query.state.data]) : false)(
        query as never,
      ),
  });
  return (
    <SidePanel title="Delivery" onClose={move.close}>
      <Stack>
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={!move.previous} onClick={move.previous}>
            Previous
          </Button>
          <Button size="xs" variant="default" disabled={!move.next} onClick={move.next}>
            Next
          </Button>
          <span className={classes.keys}>
            <Kbd>K</Kbd> <Kbd>J</Kbd>
          </span>
        </Group>
        {delivery.data ? (
          <Delivery delivery={delivery.data} key={deliveryId} />
        ) : delivery.error ? (
          <FailureAlert error={delivery.error} onRetry={() => void delivery.refetch()} />
        ) : (
          <LoadingLines rows={8} />
        )}
      </Stack>
    </SidePanel>
  );
}

/** Buttons of the panel: back to the list, and to the previous and next delivery. */
function useMoves(webhookId: string, deliveryId: string) {
  const navigate = useNavigate();
  const rows = useDeliveries(webhookId).data?.data ?? [];
  const index = rows.findIndex(({ id }) => id === deliveryId);
  const withoutAttempt = (state: object) => ({ ...state, attempt: undefined });
  const openAt = (position: number) => {
    const row = index === -1 ? undefined : rows[position];
    if (!row) return undefined;
    return () => {
      void navigate({
        to: '/{-$accountId}/webhooks/$webhookId/deliveries/$deliveryId',
        params: { webhookId, deliveryId: row.id },
        search: withoutAttempt as never,
        replace: true,
        resetScroll: false,
      });
    };
  };
  const close = () => {
    void navigate({
      to: '/{-$accountId}/webhooks/$webhookId',
      params: { webhookId },
      search: withoutAttempt as never,
      resetScroll: false,
    });
  };
  const previous = openAt(index - 1);
  const next = openAt(index + 1);
  useHotkeys([
    ['j', () => next?.()],
    ['k', () => previous?.()],
  ]);
  return { close, previous, next };
}

function Delivery({ delivery }: { delivery: DeliveryInFull }) {
  const now = useNow(1_000);
  const { data: webhook } = useWebhook(delivery.webhookId);
  const { attempts, requestBody, requestBodyTruncated } = delivery;
  const last = attempts.at(-1);
  return (
    <>
      <div>
        <Group gap="xs">
          <DeliveryStatus state={stateOf(delivery, webhook)} />
          {webhook && last && <ReceivedSignature webhook={webhook} attempt={last} />}
        </Group>
        <Text fw={600} mt={6} role="status">
          {outcomeOf(delivery, webhook, now)}
        </Text>
        {attempts.length === 0 && delivery.lastError && (
          <Text size="sm">{delivery.lastError.message}</Text>
        )}
      </div>
      <Group gap="xs">
        <Redeliver delivery={delivery} />
        {webhook && last && requestBody !== null && !requestBodyTruncated && (
          <CopyButton
            name="Copy as curl"
            text={curlOf(webhook.url, last.requestHeaders, requestBody)}
          />
        )}
      </Group>
      <DeliveryFacts delivery={delivery} />
      {attempts.length > 0 && (
        <AddressTabs
          label="Attempts"
          name="attempt"
          keepsPage
          initial={String(last?.number)}
          tabs={attempts.map((attempt) => ({
            value: String(attempt.number),
            title: `Attempt ${String(attempt.number)}`,
            panel: () => <AttemptView attempt={attempt} delivery={delivery} />,
          }))}
        />
      )}
      {attempts.length === 0 && <DeliveryBody delivery={delivery} />}
    </>
  );
}

function Redeliver({ delivery: { id, webhookId } }: { delivery: DeliveryInFull }) {
  const { api } = useAccount();
  const refresh = useWebhookRefresh();
  const { data: webhook } = useWebhook(webhookId);
  const isDisabled = webhook?.status === 'disabled';
  const redeliver = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
          params: { path: { id: webhookId, deliveryId: id } },
        }),
      ),
    onSuccess: () => {
      showDone('Delivery queued for resending.');
      return refresh(webhookId);
    },
    onError: showFailure,
  });
  return (
    <ScopedButton
      scope="webhooks:write"
      size="xs"
      loading={redeliver.isPending}
      disabled={isDisabled}
      {...(isDisabled && { title: 'Enable the webhook first.' })}
      onClick={() => {
        redeliver.mutate();
      }}
    >
      Redeliver
    </ScopedButton>
  );
}
