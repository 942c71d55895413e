import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { emitEvents } from '../../events/outbox.js';
import { WebhookEntity } from '../entities/webhook.entity.js';
import { webhookEvent } from '../webhook-events.js';
import type { ClaimedDelivery } from './delivery.repository.js';

/** So many failed attempts in a row open the circuit: deliveries wait, and one probe at a time is sent. */
const THRESHOLD = 10;
/** Pauses before a probe, in seconds; each is as long as the circuit has been open, up to the longest. */
const SHORTEST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 60;
/** A success of a receiver that is well is written no more often than this. */
const SUCCESS_EVERY_MS = 1_000;
const MAX_REMEMBERED = 10_000;

/** How attempts at one receiver have ended. */
interface Result {
  webhookId: string;
  succeeded: boolean;
  /** Failures since the last success among them, or all. */
  failures: number;
}

/** Rows are locked in one order, so that workers with the same receivers do not wait for each other in a circle. */
const WRITE: Statement = {
  name: 'delivery.write_health',
  text: `WITH item AS (
      SELECT webhook.id, item.succeeded, clock_timestamp() AS clock,
             CASE WHEN item.succeeded THEN item.failures ELSE webhook.consecutive_failures + item.failures END AS total
        FROM webhooks AS webhook
        JOIN json_to_recordset($1) AS item ("webhookId" uuid, succeeded boolean, failures integer)
          ON item."webhookId" = webhook.id
       ORDER BY webhook.id
         FOR NO KEY UPDATE OF webhook
    )
    UPDATE webhooks AS webhook SET
      last_delivery_at = CASE WHEN item.succeeded THEN clock ELSE webhook.last_delivery_at END,
      consecutive_failures = total,
      failing_since = CASE
        WHEN total = 0 THEN NULL
        WHEN item.succeeded THEN clock
        ELSE coalesce(webhook.failing_since, clock) END,
      circuit_opened_at = CASE
        WHEN total < ${String(THRESHOLD)} THEN NULL
        ELSE coalesce(webhook.circuit_opened_at, clock) END,
      circuit_probe_at = CASE
        WHEN total < ${String(THRESHOLD)} THEN NULL
        ELSE clock + least(interval '${String(LONGEST_PAUSE_S)} seconds',
          greatest(interval '${String(SHORTEST_PAUSE_S)} seconds', clock - webhook.circuit_opened_at)) END
      FROM item WHERE item.id = webhook.id`,
};

/**
 * Counts the failures in a row of each receiver, opens and closes its circuit, and disables a webhook whose receiver is
 * gone. The state is in the webhook's row, so that all workers share it; a claim reads it there.
 */
@Injectable()
export class CircuitBreaker {
  private readonly writing: Coalescer<Result, undefined>;
  /** When the last success was written, while nothing has failed since; of the monotonic clock. */
  private readonly succeededAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.writing = new Coalescer(
      async (results) => {
        await database.run(WRITE, [JSON.stringify(byWebhook(results))]);
        return results.map(() => ({ result: undefined }));
      },
      { maxBatch: 100, maxInFlight: 1 },
    );
  }

  /**
   * Counts the end of an attempt. Resolves when it is written; further successes within a second are not. `wasFailing`
   * is whether the attempt before had failed. Rejects with the pg error.
   */
  async count(webhookId: string, succeeded: boolean, wasFailing: boolean): Promise<void> {
    const now = performance.now();
    if (!succeeded) this.succeededAt.delete(webhookId);
    else if (!wasFailing && now - (this.succeededAt.get(webhookId) ?? -Infinity) < SUCCESS_EVERY_MS)
      return;
    else this.succeededAt.set(webhookId, now);
    await this.writing.submit({ webhookId, succeeded, failures: succeeded ? 0 : 1 });
  }

  /**
   * Disables a webhook that is active and emits `webhook.disabled`; `reason` says what happened and what to do. Returns
   * false, and changes nothing, if the webhook got another URL after the attempt had begun: its new receiver is not gone.
   */
  async disable({ webhookId, accountId, url }: ClaimedDelivery, reason: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const webhooks = this.database.repository(WebhookEntity);
      const webhook = await webhooks.findOne({
        where: { id: webhookId, accountId, status: 'active' },
        lock: { mode: 'pessimistic_write' },
      });
      if (!webhook) return true;
      if (webhook.url !== url) return false;
      const at = this.clock.now();
      const change = {
        status: 'disabled',
        disabledReason: reason,
        disabledAt: at,
        updatedAt: at,
      } as const;
      await webhooks.update({ id: webhookId }, change);
      const origin = { accountId, actor: null, requestId: null };
      // Planned after the webhook is disabled, so that the event is not sent to it.
      await emitEvents(this.database, [
        webhookEvent('webhook.disabled', Object.assign(webhook, change), at, origin),
      ]);
      return true;
    });
  }
}

/** One result for each webhook: a statement changes a row once. */
function byWebhook(results: readonly Result[]): Result[] {
  const sums = new Map<string, Result>();
  for (const { webhookId, succeeded, failures } of results) {
    const earlier = sums.get(webhookId);
    sums.set(webhookId, {
      webhookId,
      succeeded: succeeded || (earlier?.succeeded ?? false),
      failures: failures + (succeeded ? 0 : (earlier?.failures ?? 0)),
    });
  }
  return [...sums.values()];
}
