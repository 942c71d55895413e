import { Injectable } from '@nestjs/common';
import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { Database, type Executor, type Statement } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { insertEvents } from '../events/outbox.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { cancelSomeOwed } from './deliveries/owed-deliveries.js';
import type { PatchWebhookDto } from './dto/patch-webhook.dto.js';
import { planChange, type WebhookChange } from './webhook-change.js';
import { originOf, webhookEvent } from './webhook-events.js';
import { WEBHOOK_COLUMNS, type Webhook } from './webhook.js';

/** Nobody else changes it until the transaction ends; keys that refer to it may still be checked. */
const LOCK: Statement = {
  name: 'webhooks.lock',
  text: `SELECT ${WEBHOOK_COLUMNS} FROM webhooks AS item
          WHERE item.id = $1 AND item.account_id = $2 FOR NO KEY UPDATE`,
};

/** `$10` is whether the receiver starts anew; workers are told, because what waited for its circuit is due now. */
const CHANGE: Statement = {
  name: 'webhooks.change',
  text: `WITH changed AS (
      UPDATE webhooks SET
        url = $3, events = $4::text[], description = $5, payload = $6, status = $7, disabled_reason = $8, updated_at = $9,
        failing_since = CASE WHEN $10 THEN NULL ELSE failing_since END,
        consecutive_failures = CASE WHEN $10 THEN 0 ELSE consecutive_failures END,
        circuit_opened_at = CASE WHEN $10 THEN NULL ELSE circuit_opened_at END,
        circuit_probe_at = CASE WHEN $10 THEN NULL ELSE circuit_probe_at END
       WHERE id = $1 AND account_id = $2
      RETURNING id
    ), emitted AS (${insertEvents('$11')}
    ), audited AS (${insertAuditEntries('$12')})
    SELECT CASE WHEN $10::boolean THEN pg_notify('webhook_deliveries', id::text) END FROM changed`,
};

/** Changes webhooks. */
@Injectable()
export class WebhookChanges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes what the patch says, or nothing when everything is so already. Disabling cancels what is owed and emits
   * `webhook.disabled`. Throws `not_found`, also for an id that is none.
   */
  async change(id: string, patch: PatchWebhookDto, cause: Cause): Promise<Webhook> {
    const uuid = uuidOf('webhook', id);
    return this.database.within(cause, async (executor) => {
      const [before] = await executor.run<Webhook>(LOCK, [uuid, cause.principal.accountId]);
      if (!before) throw notFound('webhook');
      const change = planChange(before, patch, this.clock.now());
      if (!change) return before;
      await write(executor, change, cause);
      if (change.disables) await cancelSomeOwed(executor, before.id, cause.principal.accountId);
      return change.after;
    });
  }
}

async function write(
  executor: Executor,
  { after, changes, disables, startsAnew }: WebhookChange,
  cause: Cause,
): Promise<void> {
  const at = after.updatedAt;
  const events = disables ? [webhookEvent('webhook.disabled', after, at, originOf(cause))] : [];
  const entry = auditRow({
    action: 'webhook.update',
    resourceId: after.id,
    at,
    cause,
    details: { changes },
  });
  await executor.run(CHANGE, [
    after.id,
    cause.principal.accountId,
    after.url,
    after.events,
    after.description,
    after.payload,
    after.status,
    after.disabledReason,
    at,
    startsAnew,
    JSON.stringify(events),
    JSON.stringify([entry]),
  ]);
}
