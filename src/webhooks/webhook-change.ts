import { withoutRepetitions } from '../events/catalogue.js';
import type { PatchWebhookDto } from './dto/patch-webhook.dto.js';
import type { Webhook } from './webhook.js';

/** What a client may change. */
type WebhookFields = Pick<Webhook, 'url' | 'events' | 'description' | 'payload' | 'status'>;

export interface WebhookChange {
  after: Webhook;
  /** Names of the fields that differ. */
  changes: (keyof WebhookFields)[];
  /** It was active and is not any more. */
  disables: boolean;
  /** Failures of the receiver so far do not count any more: it is another one, or it is tried anew. */
  resetsHealth: boolean;
}

const DISABLED_ON_REQUEST =
  'It was disabled on request. Change its status to active to send again.';

/** What a patch makes of a webhook; `undefined` when everything is so already. */
export function planChange(
  before: Webhook,
  patch: PatchWebhookDto,
  at: Date,
): WebhookChange | undefined {
  const wanted: WebhookFields = {
    url: patch.url ?? before.url,
    events: patch.events ? withoutRepetitions(patch.events) : before.events,
    description: patch.description === undefined ? before.description : patch.description,
    payload: patch.payload ?? before.payload,
    status: patch.status ?? before.status,
  };
  const names = Object.keys(wanted) as (keyof WebhookFields)[];
  const changes = names.filter((name) => !isSame(wanted[name], before[name]));
  if (changes.length === 0) return undefined;
  const moves = changes.includes('status');
  const disables = moves && wanted.status === 'disabled';
  const resetsHealth = (moves && !disables) || changes.includes('url');
  return {
    after: {
      ...before,
      ...wanted,
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

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
