import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { ReceivedDelivery, Receiver } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { BodyText, Headers } from './delivery-body.js';
import { Signature } from './received-signature.js';
import { useReceived, useReceivers, type Webhook } from './webhook-queries.js';

const COLUMNS: readonly Column<ReceivedDelivery>[] = [
  {
    title: 'Event',
    cell: ({ id, eventType }) => (
      <AppLink to="." search={(state: object) => ({ ...state, open: id })} resetScroll={false}>
        {eventType ?? 'Not an event'}
      </AppLink>
    ),
  },
  { title: 'Signature', cell: ({ signature }) => <Signature signature={signature} /> },
  { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} />, kind: 'narrow' },
];

/** Shows the requests that the test receiver received, if the webhook's URL is one. */
export function TestReceiverTab({ webhook }: { webhook: Webhook }) {
  const receivers = useReceivers();
  if (receivers.error) {
    return <FailureAlert error={receivers.error} onRetry={() => void receivers.refetch()} />;
  }
  if (!receivers.data) return <LoadingLines rows={4} />;
  const receiver = receivers.data.find(({ url }) => url === webhook.url);
  if (receiver) return <Received receiver={receiver} />;
  return (
    <EmptyState
      sentence={
        <>
          This webhook has no active test receiver. Choose “Use test receiver” in{' '}
          <AppLink to="." search={{ tab: 'settings' } as never}>
            settings
          </AppLink>
          .
        </>
      }
    />
  );
}

function Received({ receiver: { id, expiresAt } }: { receiver: Receiver }) {
  const [{ open }, change] = useSearchState();
  const received = useReceived(id);
  const shown = received.data?.find((one) => one.id === open);
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        The test receiver returns 200 to every request and expires <Time at={expiresAt} />. Showing
        the last 50 deliveries.
      </Text>
      <DataTable
        name="Test receiver"
        columns={COLUMNS}
        rows={received.data}
        idOf={(one) => one.id}
        nameOf={({ eventType }) => eventType ?? 'request'}
        error={received.error}
        onRetry={() => void received.refetch()}
        openId={open}
        empty={{ sentence: 'Waiting for the first delivery. Send a test event to see one now.' }}
      />
      {shown && (
        <SidePanel
          title="Received"
          onClose={() => {
            change({ open: undefined });
          }}
        >
          <Signature signature={shown.signature} />
          <Text size="sm" my="sm">
            <Time at={shown.receivedAt} />
          </Text>
          <Headers name="Headers" headers={shown.headers} />
          <Body receiverId={id} delivery={shown} />
        </SidePanel>
      )}
    </>
  );
}

/** Shows the body of a delivery. The list has only the beginning of a long one. */
function Body({ receiverId, delivery }: { receiverId: string; delivery: ReceivedDelivery }) {
  const { id: accountId } = useAccount();
  const { id: deliveryId, body, isBodyTruncated } = delivery;
  const whole = useQuery({
    queryKey: [accountId, 'receivers', receiverId, 'deliveries', deliveryId],
    queryFn: () =>
      dataOf(
        dashboardApi.GET(
          '/dashboard/api/accounts/{accountId}/receivers/{receiverId}/deliveries/{deliveryId}',
          { params: { path: { accountId, receiverId, deliveryId } } },
        ),
      ),
    enabled: isBodyTruncated,
    staleTime: Infinity,
  });
  if (whole.error) {
    return <FailureAlert error={whole.error} onRetry={() => void whole.refetch()} />;
  }
  return (
    <BodyText
      name="Body"
      text={whole.data?.body ?? body}
      isTruncated={isBodyTruncated && !whole.data}
    />
  );
}
