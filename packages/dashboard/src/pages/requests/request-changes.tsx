import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { nounOf } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { EventSubject } from '../events/event-links.js';
import { rowOf } from '../events/event-subject.js';
import { WebhookLink } from '../webhooks/webhook-link.js';
import { ResourceLink } from '../audit/resource-link.js';
import { capitalized } from '../../components/words.js';
import classes from './requests.module.css';

type AuditEntry = components['schemas']['AuditEntry'];
type Event = components['schemas']['Event'];
type Delivery = components['schemas']['Delivery'];

/** Changes, events and deliveries of a request, as far as the person may see them. */
export function RequestChanges({ requestId }: { requestId: string }) {
  const { may } = useAccount();
  return (
    <Section title="Changes">
      {may('audit:read') && <Entries requestId={requestId} />}
      {may('events:read') && <Events requestId={requestId} />}
      {may('webhooks:read') && <Deliveries requestId={requestId} />}
    </Section>
  );
}

const ENTRY_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'Action',
    cell: ({ id, action }) => (
      <AppLink to="/{-$accountId}/audit" search={{ open: id } as never}>
        {action}
      </AppLink>
    ),
  },
  { title: 'Resource', cell: ({ resource }) => <ResourceLink {...resource} /> },
];

function Entries({ requestId }: { requestId: string }) {
  const { id, api } = useAccount();
  const query = { requestId, limit: LARGEST_PAGE };
  const entries = useQuery({
    queryKey: [id, 'audit', 'of-request', requestId],
    queryFn: () => dataOf(api.GET('/v1/audit', { params: { query } })),
  });
  return (
    <Part
      name="Audit entries"
      columns={ENTRY_COLUMNS}
      found={entries}
      nameOf={({ action }) => action}
      none="No changes in the audit log."
    />
  );
}

const EVENT_COLUMNS: readonly Column<Event>[] = [
  {
    title: 'Event',
    cell: ({ id, type }) => (
      <AppLink to="/{-$accountId}/events" search={{ open: id } as never}>
        {type}
      </AppLink>
    ),
  },
  { title: 'Subject', cell: (event) => <EventSubject row={rowOf(event)} />, kind: 'main' },
];

function Events({ requestId }: { requestId: string }) {
  const { id, api } = useAccount();
  const query = { requestId, limit: LARGEST_PAGE };
  const events = useQuery({
    queryKey: [id, 'events', 'of-request', requestId],
    queryFn: () => dataOf(api.GET('/v1/events', { params: { query } })),
  });
  return (
    <Part
      name="Events"
      columns={EVENT_COLUMNS}
      found={events}
      nameOf={({ type }) => type}
      none="No events."
    />
  );
}

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Delivery',
    cell: ({ id, webhookId, eventType }) => (
      <AppLink
        to="/{-$accountId}/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ webhookId, deliveryId: id }}
      >
        {eventType}
      </AppLink>
    ),
  },
  {
    title: 'Webhook',
    cell: ({ webhookId }) => <WebhookLink webhookId={webhookId} />,
    kind: 'main',
  },
  { title: 'Status', cell: ({ status }) => capitalized(status), kind: 'narrow' },
  {
    title: 'Attempts',
    cell: ({ attemptCount }) => attemptCount,
    kind: 'number',
    phoneUnit: ({ attemptCount }) => nounOf(attemptCount, 'attempt'),
  },
];

function Deliveries({ requestId }: { requestId: string }) {
  const { id, api } = useAccount();
  const query = { requestId, limit: LARGEST_PAGE };
  const deliveries = useQuery({
    queryKey: [id, 'deliveries', 'of-request', requestId],
    queryFn: () => dataOf(api.GET('/v1/deliveries', { params: { query } })),
  });
  return (
    <Part
      name="Deliveries"
      columns={DELIVERY_COLUMNS}
      found={deliveries}
      nameOf={({ eventType }) => eventType}
      none="No deliveries."
    />
  );
}

interface PartProps<Row extends { id: string }> {
  name: string;
  columns: readonly Column<Row>[];
  found: UseQueryResult<Row[]>;
  nameOf: (row: Row) => string;
  /** Replaces an empty table. */
  none: string;
}

function Part<Row extends { id: string }>({ name, columns, found, nameOf, none }: PartProps<Row>) {
  return (
    <div className={classes.part}>
      <h3 className={classes.partTitle}>{name}</h3>
      {found.data?.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <DataTable
          name={name}
          columns={columns}
          rows={found.data}
          idOf={({ id }) => id}
          nameOf={nameOf}
          error={found.error}
          onRetry={() => void found.refetch()}
          empty={{ sentence: none }}
          expectedRows={1}
        />
      )}
    </div>
  );
}
