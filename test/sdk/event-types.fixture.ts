import { verifyWebhook, type DocumentService, type WebhookEvent } from '@document-service/client';

// Compiled by package.process.e2e-spec.ts as users of the package compile it.

export async function readEvents(client: DocumentService, payload: string): Promise<string[]> {
  const found: string[] = [];
  for await (const event of client.events.follow({ types: ['document.*'] })) {
    if (event.type === 'document.updated') found.push(event.cursor, ...event.data.changes);
  }
  for await (const event of client.events.stream()) found.push(titleOf(event), kindOf(event));
  for await (const event of client.events.list()) found.push(titleOf(event));
  const { data } = await client.events.list({ limit: 1 });
  for (const event of data) found.push(titleOf(event));
  found.push(titleOf(await client.events.get('evt_1')));
  found.push(titleOf(await verifyWebhook({ payload, headers: {}, secret: 'secret' })));
  return found;
}

function titleOf(event: WebhookEvent): string {
  if (event.type !== 'document.updated') return event.type;
  const { id, version, title = '', content = '', removed } = event.data.document;
  return removed ? '' : `${title} ${content} ${id} ${String(version)}`;
}

function kindOf(event: WebhookEvent): string {
  switch (event.type) {
    case 'document.created':
      return event.data.document.id;
    case 'document.status_changed':
      return event.data.document.status;
    case 'document.deleted':
      return event.data.document.title ?? event.data.document.id;
    case 'document.updated':
    case 'document.restored':
    case 'document.published':
    case 'document.archived':
    case 'document.analyzed':
    case 'document.enhanced':
    case 'document.quality_dropped':
      return String(event.data.document.version);
    case 'webhook.disabled':
      return event.data.webhook.url;
    case 'webhook.test':
      return event.id;
    default: {
      // @ts-expect-error The service may add types, so the known ones are never all.
      const nothing: never = event;
      return nothing;
    }
  }
}
