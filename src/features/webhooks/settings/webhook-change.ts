import { isDeepStrictEqual } from 'node:util';
import { withoutRepetitions } from '../../events/catalogue/catalogue.js';
import type { PatchWebhookDto } from '../dto/write-webhook.dto.js';
import type { WebhookEntity } from '../entities/webhook.entity.js';
import type { Webhook } from '../webhooks.repository.js';
import { mergeFilter } from './webhook-filter.js';

/** The fields that a client can change. */
type WebhookFields = Pick<
  Webhook,
  'url' | 'events' | 'filter' | 'description' | 'payload' | 'status'
>;

/** The encrypted and the masked headers of a webhook. */
export type WebhookHeaders = Pick<WebhookEntity, 'headersEncrypted' | 'headersMasked'>;

type StoredWebhook = Webhook & WebhookHeaders;

export interface WebhookChange {
  after: StoredWebhook;
  /** Names of the fields that differ. */
  changes: (keyof WebhookFields | 'headers')[];
  /** True if the webhook was active and no longer is. */
  disables: boolean;
  /** True if earlier failures no longer count, because the receiver has changed or the webhook was enabled again. */
  resetsHealth: boolean;
}

const DISABLED_ON_REQUEST =
  'It was disabled on request. Change its status to active to send again.';

/** Applies a patch to a webhook, with new headers if it changes them. Returns `undefined` if nothing changes. */
export function planChange(
  before: StoredWebhook,
  patch: PatchWebhookDto,
  headers: WebhookHeaders | undefined,
  at: Date,
): WebhookChange | undefined {
  const fields: WebhookFields = {
    url: patch.url ?? before.url,
    events: patch.events ? withoutRepetitions(patch.events) : before.events,
    filter: patch.filter === undefined ? before.filter : mergeFilter(before.filter, patch.filter),
    description: patch.description === undefined ? before.description : patch.description,
    payload: patch.payload ?? before.payload,
    status: patch.status ?? before.status,
  };
  const names = Object.keys(fields) as (keyof WebhookFields)[];
  // Compare deeply, because the database returns the members of a filter in its own order.
  const changes: WebhookChange['changes'] = names.filter(
    (name) => !isDeepStrictEqual(fields[name], before[name]),
  );
  if (headers) changes.push('headers');
  if (changes.length === 0) return undefined;
  const isActive = fields.status === 'active';
  const disables = changes.includes('status') && !isActive;
  const enables = changes.includes('status') && isActive;
  const resetsHealth = enables || changes.includes('url');
  return {
    after: {
      ...before,
      ...fields,
      ...headers,
      ...(isActive && { disabledReason: null, disabledAt: null }),
      ...(disables && { disabledReason: DISABLED_ON_REQUEST, disabledAt: at }),
      ...(resetsHealth && { failingSince: null, circuitProbeAt: null }),
      updatedAt: at,
    },
    changes,
    disables,
    resetsHealth,
  };
}
