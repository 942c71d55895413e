import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';

/** So many failed attempts in a row open the circuit: one attempt at a time, after a pause. */
export const CIRCUIT_THRESHOLD = 10;
/** The first pause; each next one is as long as the circuit has been open, up to the longest. */
const SHORTEST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 60;
/** A receiver that stays well is written down no more often than this. */
const WELL_EVERY_MS = 1_000;

/** What happened at one receiver since it was last written down. */
interface News {
  webhookId: string;
  succeeded: boolean;
  /** Failed attempts since the last success among the news, or all. */
  failures: number;
}

/**
 * The health of a receiver is shared by all workers in its row. The locks are taken in one order, so that workers with
 * the same receivers do not wait for each other in a circle.
 */
const WRITE: Statement = {
  name: 'delivery.write_health',
  text: `WITH item AS (
      SELECT webhook.id, item.succeeded, item.failures, clock_timestamp() AS clock,
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
        WHEN total < ${String(CIRCUIT_THRESHOLD)} THEN NULL
        ELSE coalesce(webhook.circuit_opened_at, clock) END,
      circuit_probe_at = CASE
        WHEN total < ${String(CIRCUIT_THRESHOLD)} THEN NULL
        ELSE clock + least(interval '${String(LONGEST_PAUSE_S)} seconds',
          greatest(interval '${String(SHORTEST_PAUSE_S)} seconds', clock - webhook.circuit_opened_at)) END
      FROM item WHERE item.id = webhook.id`,
};

/**
 * Keeps failures in a row, the circuit and the last delivery of each receiver. A failure, and the success that ends a
 * failing, are written at once; further successes of a second together.
 */
@Injectable()
export class ReceiverHealth {
  private news = new Map<string, News>();
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private lastWrite = -Infinity;

  constructor(private readonly database: Database) {}

  /**
   * Takes in how an attempt ended. Resolves when that is written, for a success of a receiver that was well at once.
   * What could not be written is kept for the next time, and the call rejects.
   */
  async note(webhookId: string, succeeded: boolean, wasFailing: boolean): Promise<void> {
    const before = this.news.get(webhookId);
    this.add({ webhookId, succeeded, failures: succeeded ? 0 : 1 }, before);
    if (!succeeded || wasFailing || (before?.failures ?? 0) > 0) await this.write();
    else this.writeSoon();
  }

  /** Writes what has not been written yet; for the end of the process. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    if (this.news.size > 0) await this.write();
  }

  private add(later: News, earlier: News | undefined): void {
    this.news.set(later.webhookId, {
      webhookId: later.webhookId,
      succeeded: later.succeeded || (earlier?.succeeded ?? false),
      failures: later.failures + (later.succeeded ? 0 : (earlier?.failures ?? 0)),
    });
  }

  private writeSoon(): void {
    const wait = this.lastWrite + WELL_EVERY_MS - performance.now();
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        // Kept for the next time.
        this.write().catch(() => undefined);
      },
      Math.max(0, wait),
    );
  }

  /** Who comes while a statement runs shares the next one. */
  private write(): Promise<void> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      const written = this.writeNow();
      this.running = written.catch(() => undefined);
      return written;
    });
    return this.next;
  }

  private async writeNow(): Promise<void> {
    const written = this.news;
    this.news = new Map();
    this.lastWrite = performance.now();
    try {
      await this.database.run(WRITE, [JSON.stringify([...written.values()])]);
    } catch (error) {
      const since = this.news;
      this.news = written;
      for (const [id, later] of since) this.add(later, written.get(id));
      throw error;
    }
  }
}
