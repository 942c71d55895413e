import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { countOf } from '../../components/numbers.js';
import { PAGE_SIZE } from '../../components/pager.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time } from '../../components/time.js';
import { beginOf, type rangeNamed } from './time-ranges.js';

type Delivery = components['schemas']['Delivery'];

/** Status of a delivery after each outcome of an attempt. */
const STATUS_OF_OUTCOME = {
  succeeded: 'succeeded',
  retried: 'pending',
  failed: 'failed',
} as const;
export type Outcome = keyof typeof STATUS_OF_OUTCOME;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    cell: ({ id, webhookId, eventType }) => (
      <AppLink
        to="/{-$accountId}/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ webhookId, deliveryId: id }}
      >
        {eventType}
      </AppLink>
    ),
  },
  { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
  { title: 'Attempts', cell: ({ attemptCount }) => attemptCount, kind: 'number' },
  {
    title: 'Last response',
    cell: ({ lastResponseStatus, lastError }) => lastError?.message ?? lastResponseStatus ?? '–',
  },
];

interface DeliveriesPanelProps {
  outcome: Outcome;
  range: ReturnType<typeof rangeNamed>;
  onClose: () => void;
}

/** Shows the newest deliveries of a number in the chart. */
export function DeliveriesPanel({ outcome, range, onClose }: DeliveriesPanelProps) {
  const { id, api } = useAccount();
  const status = STATUS_OF_OUTCOME[outcome];
  const deliveries = useQuery({
    queryKey: [id, 'deliveries', status, range.name],
    queryFn: () => {
      const query = { status, since: beginOf(range, new Date()), limit: PAGE_SIZE };
      return bodyOf(api.GET('/v1/deliveries', { params: { query } }));
    },
  });
  const total = deliveries.data?.meta.pagination.total ?? 0;
  return (
    <SidePanel title={`Deliveries: ${status}, last ${range.text}`} onClose={onClose}>
      {total > PAGE_SIZE && (
        <p>
          The newest {PAGE_SIZE} of {countOf(total, 'delivery', 'deliveries')}. Open a webhook to
          see all of its deliveries.
        </p>
      )}
      <DataTable
        name="Deliveries"
        columns={COLUMNS}
        rows={deliveries.data?.data}
        idOf={(delivery) => delivery.id}
        nameOf={({ eventType }) => eventType}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty={{ sentence: `No ${status} deliveries in the last ${range.text}.` }}
      />
    </SidePanel>
  );
}
