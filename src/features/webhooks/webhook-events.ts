import type { RequestContext } from '../access/auth/request-context.js';
import { actorOf } from '../access/auth/principal.js';
import { eventRow, type EventInput, type EventRow } from '../events/outbox.js';
import { presentWebhook } from './webhook.presenter.js';
import type { Webhook } from './webhooks.repository.js';

/** Who caused an event, and for which account. */
type EventOrigin = Pick<EventInput, 'accountId' | 'actor' | 'requestId'>;

/** That a request caused it. */
export function originOf({ principal, requestId }: RequestContext): EventOrigin {
  return { accountId: principal.accountId, actor: actorOf(principal), requestId };
}

/** The event of something that was done to a webhook, frozen. Its full and its thin form are the same. */
export function webhookEvent(
  type: 'webhook.test' | 'webhook.disabled',
  webhook: Webhook,
  at: Date,
  origin: EventOrigin,
): EventRow {
  const data = JSON.stringify({ webhook: presentWebhook(webhook) });
  return eventRow({ ...origin, type, subjectId: webhook.id, at, fullData: data, thinData: data });
}
