import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Copyable } from '../../components/copyable.js';
import { DocumentLink } from '../../components/document-link.js';
import { Facts } from '../../components/facts.js';
import { Time } from '../../components/time.js';
import { rowOf } from '../events/event-subject.js';
import type { DeliveryInFull } from './webhook-queries.js';

/** Shows where a delivery comes from: its event, document, and request. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryInFull }) {
  const { id: accountId, api } = useAccount();
  const { eventId } = delivery;
  const event = useQuery({
    queryKey: [accountId, 'events', eventId],
    queryFn: () => dataOf(api.GET('/v1/events/{id}', { params: { path: { id: eventId } } })),
    staleTime: 60_000,
  });
  const { documentId, title } = event.data ? rowOf(event.data) : {};
  const requestId = event.data?.requestId;
  return (
    <Facts
      of={[
        [
          'Document',
          documentId !== undefined && <DocumentLink documentId={documentId} title={title} />,
        ],
        [
          'Event',
          <AppLink key="event" to="/{-$accountId}/events" search={{ open: eventId } as never}>
            {delivery.eventType}
          </AppLink>,
        ],
        [
          'Request',
          typeof requestId === 'string' && (
            <AppLink to="/{-$accountId}/requests/$requestId" params={{ requestId }} search={{}}>
              {requestId}
            </AppLink>
          ),
        ],
        ['Event time', <Time key="happened" at={delivery.createdAt} />],
        ['Completed', delivery.completedAt !== null && <Time at={delivery.completedAt} />],
        ['Delivery ID', <Copyable key="id" name="delivery ID" text={delivery.id} />],
        ['Event ID', <Copyable key="event-id" name="event ID" text={eventId} />],
      ].map(([name, value]) => [name as string, value === false ? undefined : value] as const)}
    />
  );
}
