import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Section } from '../../components/page.js';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { ResourceLink } from '../audit/resource-link.js';

type AuditEntry = components['schemas']['AuditEntry'];
type Event = components['schemas']['Event'];
type Delivery = components['schemas']['Delivery'];

/** What a request changed, whom it told, and how that went; each as far as the person may see it. */
export function RequestChanges({ requestId }: { requestId: string }) {
  const { may } = useAccount();
  return (
    <Section title="What it changed">
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
  const entries = useQuery({
    queryKey: [id, 'audit', 'of-request', requestId],
    queryFn: () => {
      const query = { requestId, limit: LARGEST_PAGE };
      return dataOf(api.GET('/v1/audit', { params: { query } }));
    },
  });
  return (
    <Part title="Audit entries">
      <DataTable
        name="Audit entries"
        columns={ENTRY_COLUMNS}
        rows={entries.data}
        idOf={(entry) => entry.id}
        nameOf={({ action }) => action}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={{ sentence: 'It changed nothing that the audit log records.' }}
        expectedRows={1}
      />
    </Part>
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
  { title: 'Id', cell: ({ id }) => id },
];

function Events({ requestId }: { requestId: string }) {
  const { id, api } = useAccount();
  const events = useQuery({
    queryKey: [id, 'events', 'of-request', requestId],
    queryFn: () => {
      const query = { requestId, limit: LARGEST_PAGE };
      return dataOf(api.GET('/v1/events', { params: { query } }));
    },
  });
  return (
    <Part title="Events">
      <DataTable
        name="Events"
        columns={EVENT_COLUMNS}
        rows={events.data}
        idOf={(event) => event.id}
        nameOf={({ type }) => type}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={{ sentence: 'No event came of it.' }}
        expectedRows={1}
      />
    </Part>
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
  { title: 'Status', cell: ({ status }) => status, kind: 'narrow' },
  { title: 'Attempts', cell: ({ attemptCount }) => attemptCount, kind: 'number' },
];

function Deliveries({ requestId }: { requestId: string }) {
  const { id, api } = useAccount();
  const deliveries = useQuery({
    queryKey: [id, 'deliveries', 'of-request', requestId],
    queryFn: () => {
      const query = { requestId, limit: LARGEST_PAGE };
      return dataOf(api.GET('/v1/deliveries', { params: { query } }));
    },
  });
  return (
    <Part title="Deliveries">
      <DataTable
        name="Deliveries"
        columns={DELIVERY_COLUMNS}
        rows={deliveries.data}
        idOf={(delivery) => delivery.id}
        nameOf={({ eventType }) => eventType}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty={{ sentence: 'No webhook was told of it.' }}
        expectedRows={1}
      />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <>
      <h3>{title}</h3>
      {children}
    </>
  );
}
