import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { redactSecrets } from '../../../platform/basics/redact-secrets.js';
import { Config } from '../../../platform/config/config.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { emitEvents } from '../../events/events.repository.js';
import { isRedacted, redactedBody } from '../../events/redaction.js';
import type { DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import { webhookEvent } from '../webhook.presenter.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import type { AttemptOutcome, Failure } from './attempt-outcome.js';
import { ConcurrencyLimiter, MANY_IN_FLIGHT } from './concurrency-limiter.js';

/** A delivery that this process has leased. Ids are UUIDs. */
export interface ClaimedDelivery {
  deliveryId: string;
  /** Lease number. Each lease of a delivery has a different one. */
  generation: number;
  /** Number of earlier attempts, and how many of them were made before the last redelivery. */
  attempts: number;
  earlierAttempts: number;
  accountId: string;
  eventId: string;
  webhookId: string;
  url: string;
  secret: Buffer;
  /** Also signs during a rotation. */
  previousSecret: Buffer | null;
  /** Custom headers, encrypted like the secrets; `null` if there are none. */
  headers: Buffer | null;
  /** How long all attempts to this receiver have failed. `null` if the last one succeeded. */
  failingForMs: number | null;
  /** Time between the due time and the claim. */
  overdueMs: number;
  /** `null` if the event has since been purged. */
  body: string | null;
}

/** A webhook with pending deliveries. */
interface DueWebhook {
  webhookId: string;
  /** Negative if it is overdue. */
  dueInMs: number;
  /** The webhook was disabled or deleted: cancel its pending deliveries. */
  inactive: boolean;
}

interface ClaimLimits {
  /** Maximum deliveries of each webhook, by webhook ID. */
  allowances: ReadonlyMap<string, number>;
  rows: number;
  /** Bytes of bodies. */
  bytes: number;
}

/** An attempt that has ended. */
export interface DeliveryAttempt {
  delivery: ClaimedDelivery;
  /** Counted from 1. */
  number: number;
  startedAt: Date;
  durationMs: number;
  /** Values of custom headers are masked. */
  requestHeaders: Record<string, string>;
  /** The response to store. `undefined` if none began. */
  response: StoredResponse | undefined;
  /** `undefined` on success. */
  failure: Failure | undefined;
  /** The wait that the receiver requested with 429 or 503. */
  retryAfterMs: number | undefined;
}

export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  excerpt: string;
}

/** The results of some attempts to one receiver. */
interface ReceiverResult {
  webhookId: string;
  succeeded: boolean;
  /** Failures since the last success, or all failures if there was no success. */
  failures: number;
}

/** application_name of a worker's LISTEN connection. The number of these in pg_stat_activity is the number of workers. */
export const WORKER_NAME = 'document-service deliveries';

/** This many consecutive failures open the circuit: deliveries wait, and one probe at a time is sent. */
const CIRCUIT_THRESHOLD = 10;
/** Bounds of the pause before a probe, in seconds. Within them, the pause is as long as the circuit has been open. */
const MIN_PROBE_PAUSE_S = 5;
const MAX_PROBE_PAUSE_S = 60;
/** Minimum time between two writes of a success while the receiver is healthy. */
const SUCCESS_EVERY_MS = 1_000;
/** Maximum webhooks whose last written success is remembered. */
const MAX_REMEMBERED = 10_000;

const RETRY_AFTER_MS = 250;
/** A failed write is retried for at least this long, even beyond the lease. Its generation prevents a conflict. */
const MIN_WRITE_TIMEOUT_MS = 2_000;
/** Maximum time to wait for more attempts to end before writing them, unless half of many in flight have ended. */
const GATHER_MS = 10;

const DUE: Statement = {
  name: 'delivery.due',
  text: 'SELECT * FROM due_webhooks($1, $2)',
};

/** PostgreSQL evaluates the first EXISTS once per claim. It is nearly always false. */
const CLAIM: Statement = {
  name: 'delivery.claim',
  text: `SELECT "deliveryId", "generation", "attempts", "earlierAttempts", "accountId", "eventId", "webhookId", "url", "secret",
           "previousSecret", "headers", "failingForMs", "overdueMs", coalesce(redacted.body, claimed.body) AS "body"
      FROM claim_webhook_deliveries($1::uuid[], $2::integer[], $3, $4, $5, $6, $7) AS claimed
      LEFT JOIN LATERAL (
        SELECT ${redactedBody('event')} AS body FROM events AS event
         WHERE EXISTS (SELECT FROM removed_subjects) AND event.id = claimed."eventId" AND ${isRedacted('event')}
         LIMIT 1) AS redacted ON true`,
};

const RELEASE: Statement = {
  name: 'delivery.release',
  text: `WITH released AS (
      UPDATE webhook_deliveries SET lease_expires_at = NULL
       WHERE id = $1 AND lease_generation = $2 AND completed_at IS NULL
      RETURNING webhook_id
    )
    SELECT pg_notify('webhook_deliveries', webhook_id::text) FROM released`,
};

const IS_LEASED: Statement = {
  name: 'delivery.is_leased',
  text: `SELECT FROM webhook_deliveries
          WHERE id = $1 AND lease_generation = $2 AND completed_at IS NULL AND lease_expires_at > clock_timestamp()`,
};

const SETTLE: Statement = {
  name: 'delivery.settle',
  text: 'SELECT settle_webhook_deliveries($1::json) AS id',
};

/** Locks rows in a fixed order, because workers with the same receivers could otherwise deadlock. */
const WRITE_HEALTH: Statement = {
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
        WHEN total < ${String(CIRCUIT_THRESHOLD)} THEN NULL
        ELSE coalesce(webhook.circuit_opened_at, clock) END,
      circuit_probe_at = CASE
        WHEN total < ${String(CIRCUIT_THRESHOLD)} THEN NULL
        ELSE clock + least(interval '${String(MAX_PROBE_PAUSE_S)} seconds',
          greatest(interval '${String(MIN_PROBE_PAUSE_S)} seconds', clock - webhook.circuit_opened_at)) END
      FROM item WHERE item.id = webhook.id`,
};

const COUNT_WORKERS: Statement = {
  name: 'delivery.count_workers',
  text: `SELECT count(*)::integer AS workers FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = $1`,
};

/** Makes every worker poll and count the workers again. */
const ANNOUNCE: Statement = {
  name: 'delivery.announce_worker',
  text: `SELECT pg_notify('webhook_deliveries', '')`,
};

/**
 * Leases deliveries, records their outcomes, and maintains the circuit breaker of each receiver. All state is in the
 * database, so workers share it. Works across accounts.
 */
@Injectable()
export class DeliveryRepository {
  private readonly settling: Coalescer<Settlement, boolean>;
  private readonly writingHealth: Coalescer<ReceiverResult, undefined>;
  /** When the last success was written, on the monotonic clock. A failure removes the entry. */
  private readonly succeededAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksRepository,
    private readonly clock: Clock,
    private readonly config: Config,
    limiter: ConcurrencyLimiter,
  ) {
    this.settling = new Coalescer(
      async (settlements) => {
        const rows = await database.run<{ id: string }>(SETTLE, [JSON.stringify(settlements)]);
        const settled = new Set(rows.map(({ id }) => id));
        return settlements.map(({ deliveryId }) => ({ result: settled.has(deliveryId) }));
      },
      {
        maxBatch: 100,
        // Attempts that end in the meantime form the next batch, because large statements cost less per row.
        maxInFlight: 1,
        gather: {
          forMs: GATHER_MS,
          isEnough: (ended) => ended * 2 >= Math.max(limiter.inFlight, MANY_IN_FLIGHT),
        },
        weigh: ({ responseExcerpt }) => responseExcerpt?.length ?? 0,
        isolateFailures: true,
      },
    );
    this.writingHealth = new Coalescer(
      async (results) => {
        await database.run(WRITE_HEALTH, [JSON.stringify(sumByWebhook(results))]);
        return results.map(() => ({ result: undefined }));
      },
      { maxBatch: 100, maxInFlight: 1 },
    );
  }

  /** Duration of a lease: twice the time limit, so that a brief database outage does not cause a duplicate. */
  get leaseMs(): number {
    return this.config.webhookTimeLimitMs * 2;
  }

  /** Returns how many deliveries of one webhook may be in flight in each of `workers` workers. */
  maxInFlightPerWebhook(workers: number): number {
    return Math.ceil(this.config.webhookConcurrency / workers);
  }

  /** Returns webhooks with deliveries due within `withinMs`, and inactive ones with pending deliveries. */
  due(withinMs: number): Promise<DueWebhook[]> {
    return this.database.run<DueWebhook>(DUE, [withinMs, this.firstDelayMs]);
  }

  /** Leases due deliveries of the webhooks in `allowances`, in their order. */
  claim({ allowances, rows, bytes }: ClaimLimits): Promise<ClaimedDelivery[]> {
    return this.database.run<ClaimedDelivery>(CLAIM, [
      [...allowances.keys()],
      [...allowances.values()],
      rows,
      bytes,
      this.config.webhookConcurrency,
      this.leaseMs,
      this.firstDelayMs,
    ]);
  }

  /** Ends the lease of a delivery whose attempt was not made or does not count, and notifies all workers. */
  async release({ deliveryId, generation }: ClaimedDelivery): Promise<void> {
    await this.database.run(RELEASE, [deliveryId, generation]);
  }

  /**
   * Writes the outcome of an attempt, and disables the webhook if it says so. Returns the outcome that was written: a
   * retry instead of disabling if the webhook's URL has changed, and `undefined` if another worker has taken over the
   * lease. While the database is unavailable, retries until `leasedUntil` (on the monotonic clock), then rejects.
   */
  async record(
    attempt: DeliveryAttempt,
    decided: AttemptOutcome,
    leasedUntil: number,
  ): Promise<AttemptOutcome | undefined> {
    let outcome = decided;
    // Disable the webhook before the delivery ends. Until then, no other delivery of its document is sent.
    if (outcome.kind === 'disable' && (await this.isLeased(attempt.delivery))) {
      const isDisabled = await this.disableWebhook(attempt.delivery, outcome.reason);
      if (!isDisabled) outcome = { kind: 'retry', delayMs: 0 };
    }
    const settlement = settlementOf(attempt, outcome);
    return (await this.settle(settlement, leasedUntil)) ? outcome : undefined;
  }

  /**
   * Counts the result of an attempt for the circuit breaker. Resolves when it is written. Skips successes within a second
   * of the last one. Rejects with the pg error.
   */
  async countResult({ webhookId, failingForMs }: ClaimedDelivery, succeeded: boolean) {
    const now = performance.now();
    if (!succeeded) this.succeededAt.delete(webhookId);
    else {
      const writtenAt = this.succeededAt.get(webhookId) ?? -Infinity;
      const wasFailing = failingForMs !== null;
      if (!wasFailing && now - writtenAt < SUCCESS_EVERY_MS) return;
      this.succeededAt.set(webhookId, now);
    }
    await this.writingHealth.submit({ webhookId, succeeded, failures: succeeded ? 0 : 1 });
  }

  /** Returns the number of workers that listen to this database, at least one. */
  async workers(): Promise<number> {
    const [row] = await this.database.run<{ workers: number }>(COUNT_WORKERS, [WORKER_NAME]);
    return Math.max(1, row?.workers ?? 1);
  }

  /** Notifies the other workers that there is one more. */
  async announceWorker(): Promise<void> {
    await this.database.run(ANNOUNCE, []);
  }

  private async isLeased({ deliveryId, generation }: ClaimedDelivery): Promise<boolean> {
    return (await this.database.run(IS_LEASED, [deliveryId, generation])).length > 0;
  }

  /**
   * Disables an active webhook and emits `webhook.disabled`. If the webhook's URL changed after the attempt began, its
   * new receiver is not gone: changes nothing and returns false.
   */
  private async disableWebhook(
    { webhookId, accountId, url }: ClaimedDelivery,
    reason: string,
  ): Promise<boolean> {
    return this.database.transaction(async () => {
      const webhook = await this.webhooks.lock({ id: webhookId, accountId, status: 'active' });
      if (!webhook) return true;
      if (webhook.url !== url) return false;
      const at = this.clock.now();
      const change = {
        status: 'disabled',
        disabledReason: reason,
        disabledAt: at,
        updatedAt: at,
      } as const;
      await this.webhooks.update(webhookId, change);
      const source = { accountId, actor: null, requestId: null };
      // Emit this after the webhook is disabled, so that the event is not sent to it.
      await emitEvents(this.database, [
        webhookEvent('webhook.disabled', { ...webhook, ...change }, at, source),
      ]);
      return true;
    });
  }

  private async settle(settlement: Settlement, leasedUntil: number): Promise<boolean> {
    const deadline = Math.max(leasedUntil, performance.now() + MIN_WRITE_TIMEOUT_MS);
    for (;;) {
      try {
        return await this.settling.submit(settlement);
      } catch (error) {
        const isUnavailable = error instanceof AppError || asUnavailable(error) !== undefined;
        if (!isUnavailable || performance.now() + RETRY_AFTER_MS > deadline) throw error;
        await wait(RETRY_AFTER_MS);
      }
    }
  }

  private get firstDelayMs(): number {
    return this.config.webhookRetrySchedule[0] ?? 0;
  }
}

const STATUS_AFTER: Readonly<Record<AttemptOutcome['kind'], DeliveryStatus>> = {
  succeeded: 'succeeded',
  retry: 'pending',
  exhausted: 'failed',
  disable: 'failed',
};

type Settlement = ReturnType<typeof settlementOf>;

/** The delivery's next state and its attempt, as `settle_webhook_deliveries` expects them. */
function settlementOf(attempt: DeliveryAttempt, outcome: AttemptOutcome) {
  const { delivery, response, failure } = attempt;
  return {
    deliveryId: delivery.deliveryId,
    generation: delivery.generation,
    number: attempt.number,
    status: STATUS_AFTER[outcome.kind],
    delayMs: outcome.kind === 'retry' ? outcome.delayMs : null,
    startedAt: attempt.startedAt,
    durationMs: attempt.durationMs,
    requestHeaders: attempt.requestHeaders,
    responseStatus: response?.status ?? null,
    responseHeaders: response?.headers ?? null,
    responseExcerpt: response?.excerpt ?? null,
    errorClass: failure?.class ?? null,
    errorMessage: failure ? redactSecrets(failure.message) : null,
  };
}

/** Returns one result per webhook, because a statement can change a row only once. */
function sumByWebhook(results: readonly ReceiverResult[]): ReceiverResult[] {
  const sums = new Map<string, ReceiverResult>();
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
