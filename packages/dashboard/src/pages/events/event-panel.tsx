import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { CodeBlock, prettyJson } from '../../components/code-block.js';
import { Copyable } from '../../components/copyable.js';
import { CopyButton } from '../../components/copy-button.js';
import { Facts } from '../../components/facts.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { SidePanel } from '../../components/side-panel.js';
import { Time } from '../../components/time.js';
import { EventActor, EventRequest, EventSubject } from './event-links.js';
import { WebhookLink } from '../webhooks/webhook-link.js';
import { rowOf } from './event-subject.js';

/** Shows an event as webhooks receive it, and its deliveries. */
export function EventPanel({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const { id: accountId, api } = useAccount();
  const event = useQuery({
    queryKey: [accountId, 'events', eventId],
    queryFn: () => dataOf(api.GET('/v1/events/{id}', { params: { path: { id: eventId } } })),
    staleTime: 60_000,
  });
  return (
    <SidePanel title={event.data?.type ?? 'Event'} onClose={onClose}>
      {event.data ? (
        <Stack>
          <Facts
            of={[
              ['ID', <Copyable key="id" name="ID" text={event.data.id} />],
              ['Time', <Time key="time" at={event.data.timestamp} />],
              ['Subject', <EventSubject key="subject" row={rowOf(event.data)} />],
              ['Actor', <EventActor key="actor" actor={event.data.actor} />],
              [
                'Request',
                event.data.requestId !== null && (
                  <EventRequest key="request" requestId={event.data.requestId} />
                ),
              ],
            ]}
          />
          <EventDeliveries eventId={eventId} />
          <CodeBlock name="Event as JSON" text={prettyJson(event.data)} />
          <div>
            <CopyButton name="Copy" text={prettyJson(event.data)} />
          </div>
        </Stack>
      ) : event.error ? (
        <FailureAlert error={event.error} onRetry={() => void event.refetch()} />
      ) : (
        <LoadingLines rows={10} />
      )}
    </SidePanel>
  );
}

/** Shows the webhooks that received it. */
function EventDeliveries({ eventId }: { eventId: string }) {
  const { id: accountId, api, may } = useAccount();
  const deliveries = useQuery({
    queryKey: [accountId, 'webhooks', 'of-event', eventId],
    queryFn: () =>
      bodyOf(api.GET('/v1/deliveries', { params: { query: { eventId, limit: 100 } } })),
    enabled: may('webhooks:read'),
  });
  if (!deliveries.data) return null;
  return (
    <div>
      <Title order={3} size="h5" mb={6}>
        Deliveries
      </Title>
      {deliveries.data.data.length === 0 && 'No webhook received this event.'}
      <ul>
        {deliveries.data.data.map(({ id, webhookId, status }) => (
          <li key={id}>
            <WebhookLink webhookId={webhookId} />:{' '}
            <AppLink
              to="/{-$accountId}/webhooks/$webhookId/deliveries/$deliveryId"
              params={{ webhookId, deliveryId: id }}
              search={{}}
              title={id}
            >
              {status}
            </AppLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
