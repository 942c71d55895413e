import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { isRedacted, redactedBody } from '../../events/redaction.js';
import { redactSecrets } from '../../../platform/basics/redact-secrets.js';
import type { DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import { ConcurrencyLimiter, MANY_IN_FLIGHT, type Acquired } from './concurrency-limiter.js';
import { excerptOf, keptHeaders, type ExchangeResult } from './exchange.js';

/** A delivery that this process holds until its lease ends. Ids are UUIDs. */
export interface ClaimedDelivery {
  deliveryId: string;
  /** Number of the lease; the lease of another worker has another one. */
  generation: number;
  /** Attempts made before, and those of them made before the delivery was last sent anew. */
  attempts: number;
  earlierAttempts: number;
  accountId: string;
  eventId: string;
  webhookId: string;
  url: string;
  secret: Buffer;
  /** Signs too while a rotation overlaps. */
  previousSecret: Buffer | null;
  /** Headers of the webhook's own, encrypted like the secrets; `null` where it has none. */
  headers: Buffer | null;
  /** For how long every attempt to this receiver has failed; `null` when the last one succeeded. */
  failingForMs: number | null;
  /** How long after its time it was claimed. */
  overdueMs: number;
  /** `null` when the event was purged meanwhile. */
  body: string | null;
}

export type AcquiredDelivery = Acquired<ClaimedDelivery>;

/** A webhook with something pending. */
interface DueWebhook {
  webhookId: string;
  /** Negative when it is overdue. */
  dueInMs: number;
  /** The webhook was disabled or deleted: its pending deliveries are to be cancelled. */
  inactive: boolean;
}

/** What one claim may take. */
interface ClaimLimits {
  /** Most deliveries of each webhook, by its id. */
  allowances: ReadonlyMap<string, number>;
  rows: number;
  /** Bytes of bodies. */
  bytes: number;
}

/** An attempt that has ended. */
export interface Attempt {
  delivery: ClaimedDelivery;
  /** Counted from 1. */
  number: number;
  startedAt: Date;
  requestHeaders: Record<string, string>;
  result: ExchangeResult;
}

/** application_name of a worker's LISTEN connection; counting these in pg_stat_activity gives the number of workers. */
export const WORKER_NAME = 'document-service deliveries';

const DUE: Statement = {
  name: 'delivery.due',
  text: 'SELECT * FROM due_webhooks($1, $2)',
};

/** The first EXISTS is evaluated once a claim, and nearly always ends the matter. */
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

const IS_HELD: Statement = {
  name: 'delivery.is_held',
  text: `SELECT FROM webhook_deliveries
          WHERE id = $1 AND lease_generation = $2 AND completed_at IS NULL AND lease_expires_at > clock_timestamp()`,
};

const SETTLE: Statement = {
  name: 'delivery.settle',
  text: 'SELECT settle_webhook_deliveries($1::json) AS id',
};

const COUNT_WORKERS: Statement = {
  name: 'delivery.count_workers',
  text: `SELECT count(*)::integer AS workers FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = $1`,
};

/** Has every worker ask what is due, and count the workers anew. */
const ANNOUNCE: Statement = {
  name: 'delivery.announce_worker',
  text: `SELECT pg_notify('webhook_deliveries', '')`,
};

const RETRY_AFTER_MS = 250;
/** Writing goes on so long even after the lease: its generation says whether the delivery is still this process's own. */
const SHORTEST_PATIENCE_MS = 2_000;
/** An attempt that ended waits so long for others to be written with, unless half of many in flight have ended. */
const GATHER_MS = 10;

/** The state of deliveries in the database: who may send which, and what came of it. Works across all accounts. */
@Injectable()
export class DeliveryRepository {
  private readonly settling: Coalescer<ReturnType<typeof settlementOf>, boolean>;

  constructor(
    private readonly database: Database,
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
        // What ends meanwhile gathers: a large statement costs less for each.
        maxInFlight: 1,
        gather: {
          forMs: GATHER_MS,
          isEnough: (ended) => ended * 2 >= Math.max(limiter.inFlight, MANY_IN_FLIGHT),
        },
        weigh: ({ responseExcerpt }) => responseExcerpt?.length ?? 0,
        isolateFailures: true,
      },
    );
  }

  /** How long a lease lasts; twice the time limit, so that a database that is away for a moment costs no duplicate. */
  get leaseMs(): number {
    return this.config.webhookTimeLimitMs * 2;
  }

  /** How many deliveries of one webhook may be in flight in this worker when so many workers share them. */
  shareOf(workers: number): number {
    return Math.ceil(this.config.webhookConcurrency / workers);
  }

  /** Webhooks with something due within so many milliseconds, and inactive ones with pending deliveries. */
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

  /** Gives back a delivery that was not attempted, or whose attempt does not count, and tells all workers. */
  async release({ deliveryId, generation }: ClaimedDelivery): Promise<void> {
    await this.database.run(RELEASE, [deliveryId, generation]);
  }

  /** Whether this process still has the lease. */
  async isHeld({ deliveryId, generation }: ClaimedDelivery): Promise<boolean> {
    return (await this.database.run(IS_HELD, [deliveryId, generation])).length > 0;
  }

  /**
   * The receiver has it. Like the two below: resolves with whether the delivery was still this process's own, otherwise
   * nothing is written; while the database is away tries again until `leasedUntil` (of the monotonic clock), then rejects.
   */
  acknowledge(attempt: Attempt, leasedUntil: number): Promise<boolean> {
    return this.settle(settlementOf(attempt, 'succeeded', null), leasedUntil);
  }

  /** The attempt failed; the next one is due in `delayMs`. */
  reschedule(attempt: Attempt, delayMs: number, leasedUntil: number): Promise<boolean> {
    return this.settle(settlementOf(attempt, 'pending', delayMs), leasedUntil);
  }

  /** The attempt failed, and there will be no other. */
  giveUp(attempt: Attempt, leasedUntil: number): Promise<boolean> {
    return this.settle(settlementOf(attempt, 'failed', null), leasedUntil);
  }

  /** Workers that listen to this database, at least one. */
  async workers(): Promise<number> {
    const [row] = await this.database.run<{ workers: number }>(COUNT_WORKERS, [WORKER_NAME]);
    return Math.max(1, row?.workers ?? 1);
  }

  /** Tells the other workers that there is one more to share with. */
  async announceWorker(): Promise<void> {
    await this.database.run(ANNOUNCE, []);
  }

  private async settle(
    settlement: ReturnType<typeof settlementOf>,
    leasedUntil: number,
  ): Promise<boolean> {
    const deadline = Math.max(leasedUntil, performance.now() + SHORTEST_PATIENCE_MS);
    for (;;) {
      try {
        return await this.settling.submit(settlement);
      } catch (error) {
        const isAway = error instanceof AppError || asUnavailable(error) !== undefined;
        if (!isAway || performance.now() + RETRY_AFTER_MS > deadline) throw error;
        await wait(RETRY_AFTER_MS);
      }
    }
  }

  private get firstDelayMs(): number {
    return this.config.webhookRetrySchedule[0] ?? 0;
  }
}

/** The delivery's next state and the record of the attempt, as `settle_webhook_deliveries` takes them. */
function settlementOf(attempt: Attempt, status: DeliveryStatus, delayMs: number | null) {
  const { delivery, result } = attempt;
  const answered = result.status !== undefined;
  return {
    deliveryId: delivery.deliveryId,
    generation: delivery.generation,
    number: attempt.number,
    status,
    delayMs,
    startedAt: attempt.startedAt,
    durationMs: result.durationMs,
    requestHeaders: attempt.requestHeaders,
    responseStatus: result.status ?? null,
    responseHeaders: answered ? keptHeaders(result.headers) : null,
    responseExcerpt: answered ? excerptOf(result.body) : null,
    errorClass: result.failure?.class ?? null,
    errorMessage: result.failure ? redactSecrets(result.failure.message) : null,
  };
}
