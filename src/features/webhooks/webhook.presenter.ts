import { EventInput } from '../events/outbox.js';
import { EventRow } from '../events/outbox.js';
import { eventRow } from '../events/outbox.js';
import { actorOf } from '../access/auth/principal.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { RotatedSecretDto } from './dto/write-webhook.dto.js';
import type { RegisteredWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import type { WebhookFilter } from './settings/webhook-filter.js';
import type { Webhook } from './webhooks.repository.js';

/** Presents a webhook. This is the only list of its public fields. */
export function presentWebhook(webhook: Webhook) {
  return {
    id: encodeId('webhook', webhook.id),
    url: webhook.url,
    events: webhook.events,
    payload: webhook.payload,
    status: webhook.status,
    description: webhook.description,
    secretPreview: webhook.secretPreview,
    headers: sorted(webhook.headersMasked),
    filter: webhook.filter && inOrder(webhook.filter),
    disabledReason: webhook.disabledReason,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    nextProbeAt:
      webhook.status === 'active' ? (webhook.circuitProbeAt?.toISOString() ?? null) : null,
    lastDeliveryAt: webhook.lastDeliveryAt?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  } satisfies WebhookDto;
}

/** Adds the secret if it was generated. No later response contains it. */
export function presentRegisteredWebhook(webhook: Webhook, generatedSecret: string | undefined) {
  const secret = generatedSecret === undefined ? {} : { secret: generatedSecret };
  return { ...presentWebhook(webhook), ...secret } satisfies RegisteredWebhookDto;
}

export function presentRotatedSecret(rotation: {
  webhook: Webhook;
  generatedSecret: string | undefined;
  previousSecretExpiresAt: Date | null;
}) {
  return {
    ...presentRegisteredWebhook(rotation.webhook, rotation.generatedSecret),
    previousSecretExpiresAt: rotation.previousSecretExpiresAt?.toISOString() ?? null,
  } satisfies RotatedSecretDto;
}

/** The account of an event, and who caused it. */
type EventSource = Pick<EventInput, 'accountId' | 'actor' | 'requestId'>;

/** Returns the source of events that a request causes. */
export function sourceOf({ principal, requestId }: RequestContext): EventSource {
  return { accountId: principal.accountId, actor: actorOf(principal), requestId };
}

/** Returns an event about a webhook. Its full and its thin form are the same. */
export function webhookEvent(
  type: 'webhook.test' | 'webhook.disabled',
  webhook: Webhook,
  at: Date,
  source: EventSource,
): EventRow {
  const data = JSON.stringify({ webhook: presentWebhook(webhook) });
  return eventRow({ ...source, type, subjectId: webhook.id, at, fullData: data, thinData: data });
}

function sorted(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function inOrder({ types, tags, projects }: WebhookFilter): WebhookFilter {
  return { ...(types && { types }), ...(tags && { tags }), ...(projects && { projects }) };
}
