import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Facts } from '../../components/facts.js';
import { Time } from '../../components/time.js';
import { documentIdOf } from '../events/event-subject.js';
import type { DeliveryInFull } from './webhook-queries.js';

interface DeliveryFactsProps {
  delivery: DeliveryInFull;
  /** Time of the next attempt, if it is in the future. */
  next: Date | undefined;
}

/** Shows where a delivery comes from: its event, document, and request. */
export function DeliveryFacts({ delivery, next }: DeliveryFactsProps) {
  const { id: accountId, api } = useAccount();
  const { eventId } = delivery;
  const event = useQuery({
    queryKey: [accountId, 'events', eventId],
    queryFn: () => dataOf(api.GET('/v1/events/{id}', { params: { path: { id: eventId } } })),
    staleTime: 60_000,
  });
  const documentId = event.data && documentIdOf(event.data);
  const requestId = event.data?.requestId;
  return (
    <Facts
      of={[
        ['ID', delivery.id],
        [
          'Event',
          <AppLink key="event" to="/{-$accountId}/events" search={{ open: eventId } as never}>
            {delivery.eventType} {eventId}
          </AppLink>,
        ],
        [
          'Document',
          documentId && (
            <AppLink to="/{-$accountId}/documents/$documentId" params={{ documentId }} search={{}}>
              {documentId}
            </AppLink>
          ),
        ],
        [
          'Request',
          typeof requestId === 'string' && (
            <AppLink to="/{-$accountId}/requests/$requestId" params={{ requestId }} search={{}}>
              {requestId}
            </AppLink>
          ),
        ],
        ['Event time', <Time key="happened" at={delivery.createdAt} format="exact" />],
        ['Next attempt', next && <Time at={next.toISOString()} format="exact" />],
        [
          'Completed',
          delivery.completedAt !== null && <Time at={delivery.completedAt} format="exact" />,
        ],
      ].map(([name, value]) => [name as string, value === false ? undefined : value] as const)}
    />
  );
}
