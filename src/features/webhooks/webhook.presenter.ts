import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { EventInput, EventRow, eventRow } from '../events/outbox.js';
import { actorOf } from '../auth/principal.js';
import type { RequestContext } from '../auth/request-context.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { RotatedSecretDto } from './dto/write-webhook.dto.js';
import type { RegisteredWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';
import { presentFilter } from './settings/webhook-filter.js';
import type { Webhook } from './webhooks.repository.js';

/** A new webhook. */
export interface Registration {
  webhook: Webhook;
  /** Set only if the client sent no secret. */
  generatedSecret: string | undefined;
  warnings: FieldProblem[];
}

/** A webhook with a new secret. */
export interface Rotation {
  webhook: Webhook;
  /** Set only if the client sent no secret. */
  generatedSecret: string | undefined;
  /** The previous secret also signs until this time; null without a previous secret. */
  previousSecretExpiresAt: Date | null;
  warnings: FieldProblem[];
}

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
    filter: webhook.filter && presentFilter(webhook.filter),
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
function presentRegisteredWebhook(webhook: Webhook, generatedSecret: string | undefined) {
  const secret = generatedSecret === undefined ? {} : { secret: generatedSecret };
  return { ...presentWebhook(webhook), ...secret } satisfies RegisteredWebhookDto;
}

function presentRotatedSecret(rotation: Rotation) {
  return {
    ...presentRegisteredWebhook(rotation.webhook, rotation.generatedSecret),
    previousSecretExpiresAt: rotation.previousSecretExpiresAt?.toISOString() ?? null,
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

/** The account of an event, and who caused it. */
type EventSource = Pick<EventInput, 'accountId' | 'actor' | 'requestId'>;

/** Returns the source of events that a request causes. */
export function sourceOf({ principal, requestId }: RequestContext): EventSource {
  return { accountId: principal.accountId, actor: actorOf(principal), requestId };
}

/** Returns an event about a webhook. Its full and thin forms are the same. */
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
