import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Database, type Statement } from '../../database/database.js';
import { isOfRemoved, markedBody } from '../../events/removed-subjects.js';

/** A delivery that this process holds until its lease ends. Ids are UUIDs. */
export interface ClaimedDelivery {
  deliveryId: string;
  /** Of the lease; another worker's has another one. */
  generation: number;
  /** Made before, and those of them made before it was last sent anew. */
  attempts: number;
  earlierAttempts: number;
  accountId: string;
  eventId: string;
  webhookId: string;
  url: string;
  secret: Buffer;
  /** Signs too while a rotation overlaps. */
  previousSecret: Buffer | null;
  failingForMs: number | null;
  /** How long after its time it was claimed. */
  overdueMs: number;
  /** `null` when the event was purged meanwhile. */
  body: string | null;
}

/** A webhook with something pending. */
export interface DueWebhook {
  webhookId: string;
  /** Negative when it is overdue. */
  dueInMs: number;
  /** It was disabled or deleted: what is pending is owed to nobody. */
  inactive: boolean;
}

/** What one claim may take. */
export interface Room {
  /** Most deliveries of each webhook, by its id. */
  allowances: ReadonlyMap<string, number>;
  rows: number;
  /** Bytes of bodies. */
  bytes: number;
}

/** Shown by the connection on which a worker listens; workers are counted by it. */
export const WORKER_NAME = 'document-service deliveries';

const DUE: Statement = {
  name: 'delivery.due',
  text: 'SELECT * FROM due_webhooks($1, $2)',
};

/**
 * What was removed for good since is not sent any more: its events go out marked, without its texts. The first EXISTS
 * is asked once a claim, and nearly always ends the matter.
 */
const CLAIM: Statement = {
  name: 'delivery.claim',
  text: `SELECT "deliveryId", "generation", "attempts", "earlierAttempts", "accountId", "eventId", "webhookId", "url", "secret",
           "previousSecret", "failingForMs", "overdueMs", coalesce(removed.body, claimed.body) AS "body"
      FROM claim_webhook_deliveries($1::uuid[], $2::integer[], $3, $4, $5, $6, $7) AS claimed
      LEFT JOIN LATERAL (
        SELECT ${markedBody('event')} AS body FROM events AS event
         WHERE EXISTS (SELECT FROM removed_subjects) AND event.id = claimed."eventId" AND ${isOfRemoved('event')}
         LIMIT 1) AS removed ON true`,
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

const COUNT_WORKERS: Statement = {
  name: 'delivery.count_workers',
  text: `SELECT count(*)::integer AS workers FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = $1`,
};

/** Has every worker look what is due, and how many workers there are. */
const ANNOUNCE: Statement = {
  name: 'delivery.announce_worker',
  text: `SELECT pg_notify('webhook_deliveries', '')`,
};

/** Finds deliveries that are due, and leases them. Across all accounts: it answers nobody. */
@Injectable()
export class ClaimedDeliveries {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** How long a lease lasts; twice the time limit, so that a database that is away for a moment costs no duplicate. */
  get leaseMs(): number {
    return this.config.webhookTimeLimitMs * 2;
  }

  /** How many deliveries of one webhook this worker may have under way when so many workers share them. */
  shareOf(workers: number): number {
    return Math.ceil(this.config.webhookConcurrency / workers);
  }

  /** Webhooks with something due within so many milliseconds, or with pending deliveries that nobody sends. */
  due(withinMs: number): Promise<DueWebhook[]> {
    return this.database.run<DueWebhook>(DUE, [withinMs, this.firstDelayMs]);
  }

  /** Leases what is due of the webhooks in `room`, in their order. */
  claim(room: Room): Promise<ClaimedDelivery[]> {
    return this.database.run<ClaimedDelivery>(CLAIM, [
      [...room.allowances.keys()],
      [...room.allowances.values()],
      room.rows,
      room.bytes,
      this.config.webhookConcurrency,
      this.leaseMs,
      this.firstDelayMs,
    ]);
  }

  /** Gives back a delivery that was not attempted, or was cut by the end of this process; other workers hear of it. */
  async release({ deliveryId, generation }: ClaimedDelivery): Promise<void> {
    await this.database.run(RELEASE, [deliveryId, generation]);
  }

  /** Workers that listen to this database, at least one. */
  async workers(): Promise<number> {
    const [row] = await this.database.run<{ workers: number }>(COUNT_WORKERS, [WORKER_NAME]);
    return Math.max(1, row?.workers ?? 1);
  }

  /** Tells the others that there is one more to share with. */
  async announceWorker(): Promise<void> {
    await this.database.run(ANNOUNCE, []);
  }

  private get firstDelayMs(): number {
    return this.config.webhookRetrySchedule[0] ?? 0;
  }
}
