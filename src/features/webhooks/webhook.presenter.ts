import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { RotatedSecretDto } from './dto/rotate-secret.dto.js';
import type { RegisteredWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import type { Registration, Rotation } from './webhook.js';
import type { WebhookFilter } from './webhook-filter.js';
import type { Webhook } from './webhook.js';

/** The one list of a webhook's public fields. */
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

/** A webhook just registered, with the secret only if the service made it: no other answer ever holds one. */
function presentRegisteredWebhook(webhook: Webhook, generatedSecret: string | undefined) {
  const secret = generatedSecret === undefined ? {} : { secret: generatedSecret };
  return { ...presentWebhook(webhook), ...secret } satisfies RegisteredWebhookDto;
}

/** A webhook whose secret was replaced. */
function presentRotatedSecret({ webhook, generatedSecret, previousSecretExpiresAt }: Rotation) {
  return {
    ...presentRegisteredWebhook(webhook, generatedSecret),
    previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null,
  } satisfies RotatedSecretDto;
}

/** Returns the response to the registration of a webhook. */
export function registeredResponse({
  webhook,
  generatedSecret,
  warnings,
}: Registration): ApiResponse {
  const registered = presentRegisteredWebhook(webhook, generatedSecret);
  const location = `/v1/webhooks/${registered.id}`;
  return new ApiResponse(JSON.stringify(registered), { location, warnings });
}

/** Returns the response to the replacement of a webhook's secret. */
export function rotatedResponse(rotation: Rotation): ApiResponse {
  const { warnings } = rotation;
  return new ApiResponse(JSON.stringify(presentRotatedSecret(rotation)), { warnings });
}

function sorted(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function inOrder({ types, tags, projects }: WebhookFilter): WebhookFilter {
  return { ...(types && { types }), ...(tags && { tags }), ...(projects && { projects }) };
}
