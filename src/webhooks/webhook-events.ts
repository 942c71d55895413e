import type { Cause } from '../auth/cause.js';
import { eventRow, type EventRow } from '../events/outbox.js';
import { presentWebhook } from './webhook.presenter.js';
import type { Webhook } from './webhook.js';

/** The event of something that a request did to a webhook, frozen. Its full and its thin form are the same. */
export function webhookEvent(
  type: 'webhook.test' | 'webhook.disabled',
  webhook: Webhook,
  at: Date,
  { principal, requestId }: Cause,
): EventRow {
  const data = JSON.stringify({ webhook: presentWebhook(webhook) });
  return eventRow({
    type,
    accountId: principal.accountId,
    subjectId: webhook.id,
    at,
    actor: { userId: principal.user.id, keyId: principal.keyId },
    requestId,
    fullData: data,
    thinData: data,
  });
}
