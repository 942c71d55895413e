import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { insertEvents } from '../../events/outbox.js';
import { webhookEvent } from '../webhook-events.js';
import { WEBHOOK_COLUMNS, type Webhook } from '../webhook.js';

const FIND: Statement = {
  name: 'delivery.find_active_webhook',
  text: `SELECT ${WEBHOOK_COLUMNS} FROM webhooks AS item
          WHERE item.id = $1 AND item.account_id = $2 AND item.status = 'active'`,
};

/** One statement and so one transaction; the event is planned after the webhook is disabled, and not sent to it. */
const DISABLE: Statement = {
  name: 'delivery.disable_webhook',
  text: `WITH disabled AS (
      UPDATE webhooks SET status = 'disabled', disabled_reason = $3, updated_at = $4::timestamptz
       WHERE id = $1 AND account_id = $2 AND status = 'active'
      RETURNING id
    )
    ${insertEvents('$5')} WHERE EXISTS (SELECT FROM disabled)
    RETURNING id`,
};

/** Disables a webhook whose receiver is gone, and tells the account's other webhooks with `webhook.disabled`. */
@Injectable()
export class WebhookDisabling {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Whether it was this call that disabled it. `reason` says what happened and what to do. */
  async disable(webhookId: string, accountId: string, reason: string): Promise<boolean> {
    const [webhook] = await this.database.run<Webhook>(FIND, [webhookId, accountId]);
    if (!webhook) return false;
    const at = this.clock.now();
    const disabled: Webhook = {
      ...webhook,
      status: 'disabled',
      disabledReason: reason,
      updatedAt: at,
    };
    const origin = { accountId, actor: null, requestId: null };
    const event = webhookEvent('webhook.disabled', disabled, at, origin);
    const written = await this.database.run(DISABLE, [
      webhookId,
      accountId,
      reason,
      at,
      JSON.stringify([event]),
    ]);
    return written.length > 0;
  }
}
