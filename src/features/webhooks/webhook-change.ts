import { isDeepStrictEqual } from 'node:util';
import { withoutRepetitions } from '../events/catalogue.js';
import type { PatchWebhookDto } from './dto/write-webhook.dto.js';
import type { WebhookEntity } from './entities/webhook.entity.js';
import { mergeFilter } from './webhook-filter.js';
import type { Webhook } from './webhook.js';

/** What a client may change. */
type WebhookFields = Pick<
  Webhook,
  'url' | 'events' | 'filter' | 'description' | 'payload' | 'status'
>;

export interface WebhookChange {
  after: StoredWebhook;
  /** Names of the fields that differ. */
  changes: (keyof WebhookFields | 'headers')[];
  /** It was active and is not any more. */
  disables: boolean;
  /** Failures of the receiver so far do not count any more: it is another one, or it is tried anew. */
  resetsHealth: boolean;
}

const DISABLED_ON_REQUEST =
  'It was disabled on request. Change its status to active to send again.';

/** A webhook with its headers, encrypted. */
type StoredWebhook = Webhook & HeadersChange;

/** Headers of a webhook as they are to be, if a patch changes them, and as answers show them. */
export type HeadersChange = Pick<WebhookEntity, 'headersEncrypted' | 'headersMasked'>;

/** What a patch makes of a webhook; `undefined` when everything is so already. */
export function planChange(
  before: StoredWebhook,
  patch: PatchWebhookDto,
  headers: HeadersChange | undefined,
  at: Date,
): WebhookChange | undefined {
  const wanted: WebhookFields = {
    url: patch.url ?? before.url,
    events: patch.events ? withoutRepetitions(patch.events) : before.events,
    filter: patch.filter === undefined ? before.filter : mergeFilter(before.filter, patch.filter),
    description: patch.description === undefined ? before.description : patch.description,
    payload: patch.payload ?? before.payload,
    status: patch.status ?? before.status,
  };
  const names = Object.keys(wanted) as (keyof WebhookFields)[];
  const changes: WebhookChange['changes'] = names.filter(
    (name) => !isSame(wanted[name], before[name]),
  );
  if (headers) changes.push('headers');
  if (changes.length === 0) return undefined;
  const moves = changes.includes('status');
  const disables = moves && wanted.status === 'disabled';
  const resetsHealth = (moves && !disables) || changes.includes('url');
  return {
    after: {
      ...before,
      ...wanted,
      ...headers,
      disabledReason: reasonAfter(before, wanted.status, disables),
      disabledAt: wanted.status === 'active' ? null : disables ? at : before.disabledAt,
      ...(resetsHealth && { failingSince: null, circuitProbeAt: null }),
      updatedAt: at,
    },
    changes,
    disables,
    resetsHealth,
  };
}

function reasonAfter(
  { disabledReason }: Webhook,
  status: Webhook['status'],
  disables: boolean,
): string | null {
  if (disables) return DISABLED_ON_REQUEST;
  return status === 'active' ? null : disabledReason;
}

/** The database gives the members of a filter in an order of its own. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}
