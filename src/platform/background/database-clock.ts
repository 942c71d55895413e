import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { Log } from '../operation/log.js';
import { RunsInBackground, type BackgroundTask } from './background-tasks.js';

/** Interval at which each worker checks the clock, and minimum interval between two updates by any worker. */
const EVERY_MS = 5_000;

/** Work due within this time may have been planned after the step, so it is not moved. It can run at most this much late. */
const NEAR_MS = 30_000;
const NEAR = `interval '${String(NEAR_MS)} milliseconds'`;
/** Smaller differences come from slewing, or from another worker that read the clock slightly earlier. */
const TOLERANCE_MS = 1_000;
/** Deliveries per transaction. */
const BATCH = 5_000;

const isFar = (...columns: string[]) =>
  columns.map((column) => `${column} > now() + ${NEAR}`).join(' OR ');

/** Returns SQL that moves times planned before a step back of `$1`. */
const moved = (...columns: string[]) =>
  columns
    .map(
      (column) =>
        `${column} = CASE WHEN ${isFar(column)} THEN ${column} - $1::interval ELSE ${column} END`,
    )
    .join(', ');

const NOTE: Statement = {
  name: 'background.note-clock',
  text: `WITH noted AS (
      UPDATE database_clock SET seen_at = clock_timestamp()
       WHERE step IS NULL AND seen_at < clock_timestamp() - $1 * interval '1 millisecond'
    )
    SELECT step IS NOT NULL OR seen_at - clock_timestamp() >= $2 * interval '1 millisecond' AS stepped
      FROM database_clock`,
};

/** How far the move has come: the size of the step, and the position in the index of pending deliveries. */
interface Progress {
  step: string | null;
  webhookId: string;
  nextAttemptAt: string;
  sequence: string;
}
const PROGRESS = `step::text, moved_webhook_id AS "webhookId", moved_next_attempt_at::text AS "nextAttemptAt",
  moved_sequence AS sequence`;

/** Locks the row. Returns no row while another worker holds the lock. */
const LOCK: Statement = {
  name: 'background.lock-clock',
  text: `SELECT ${PROGRESS}, (extract(epoch FROM seen_at - now()) * 1000)::double precision AS "steppedMs"
           FROM database_clock FOR UPDATE SKIP LOCKED`,
};

const FORGET_STEP: Statement = {
  name: 'background.forget-step',
  text: 'UPDATE database_clock SET seen_at = now()',
};

const BEGIN_MOVING: Statement = {
  name: 'background.begin-moving',
  text: `UPDATE database_clock
            SET step = seen_at - now(), moved_webhook_id = '00000000-0000-0000-0000-000000000000',
                moved_next_attempt_at = '-infinity', moved_sequence = 0
         RETURNING ${PROGRESS}`,
};

const MOVE_WEBHOOKS: Statement = {
  name: 'background.move-webhooks',
  text: `UPDATE webhooks SET ${moved('circuit_probe_at', 'circuit_opened_at', 'failing_since')}
          WHERE ${isFar('circuit_probe_at', 'circuit_opened_at', 'failing_since')}`,
};

const MOVE_JOBS: Statement = {
  name: 'background.move-jobs',
  text: `UPDATE jobs SET ${moved('run_at', 'lease_expires_at')}
          WHERE status IN ('queued', 'running') AND (${isFar('run_at', 'lease_expires_at')})`,
};

/** Table statistics are unreliable for a queue, which may have grown to any size since they were collected. */
const BY_INDEX: Statement = {
  name: 'background.by-index',
  text: 'SET LOCAL enable_seqscan = off',
};

/** Moves the next batch of deliveries and stores the position, so that no delivery moves twice. */
const MOVE_DELIVERIES: Statement = {
  name: 'background.move-deliveries',
  text: `WITH looked AS MATERIALIZED (
      SELECT id, webhook_id, next_attempt_at, sequence FROM webhook_deliveries
       WHERE status = 'pending' AND (webhook_id, next_attempt_at, sequence) > ($2::uuid, $3::timestamptz, $4::bigint)
       ORDER BY webhook_id, next_attempt_at, sequence LIMIT ${String(BATCH)}
    ), changed AS (
      UPDATE webhook_deliveries SET ${moved('next_attempt_at', 'lease_expires_at')}
       WHERE id IN (SELECT id FROM looked) AND completed_at IS NULL
         AND (${isFar('next_attempt_at', 'lease_expires_at')})
    ), last AS (
      SELECT count(*) OVER () = ${String(BATCH)} AS more, * FROM looked
       ORDER BY webhook_id DESC, next_attempt_at DESC, sequence DESC LIMIT 1
    ), noted AS (
      UPDATE database_clock
         SET seen_at = now(), step = CASE WHEN last.more THEN $1::interval END, moved_webhook_id = last.webhook_id,
             moved_next_attempt_at = last.next_attempt_at, moved_sequence = last.sequence
        FROM (SELECT) AS one LEFT JOIN last ON true
      RETURNING step IS NOT NULL AS more
    )
    SELECT more, pg_notify('webhook_deliveries', ''), pg_notify('jobs', '') FROM noted`,
};

/**
 * Detects when the database's clock goes back and moves planned times with it: deliveries, jobs, leases and paused
 * receivers.
 */
@RunsInBackground({ name: "Following the database's clock", everyMs: EVERY_MS })
@Injectable()
export class DatabaseClock implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Stores the time, at most once in `EVERY_MS` over all workers, and moves work planned before a step back. */
  async runBatch(): Promise<boolean> {
    const [clock] = await this.database.run<{ stepped: boolean }>(NOTE, [EVERY_MS, TOLERANCE_MS]);
    if (!clock?.stepped) return false;
    const { more, steppedMs } = await this.database.transaction(() => this.moveBatch());
    if (steppedMs !== undefined) this.report(steppedMs);
    return more;
  }

  /** Moves one batch. Only the batch that found the step returns `steppedMs`. */
  private async moveBatch(): Promise<{ more: boolean; steppedMs?: number }> {
    const run = <Row extends object>(statement: Statement, values: unknown[] = []) =>
      this.database.run<Row>(statement, values);
    const [found] = await run<Progress & { steppedMs: number }>(LOCK);
    // Another worker is moving the work, or has finished.
    if (!found || (found.step === null && found.steppedMs < TOLERANCE_MS)) return { more: false };
    await run(BY_INDEX);
    let progress: Progress = found;
    let stepped: { steppedMs?: number } = {};
    if (found.step === null) {
      stepped = { steppedMs: found.steppedMs };
      if (found.steppedMs <= NEAR_MS) {
        await run(FORGET_STEP);
        return { more: false, ...stepped };
      }
      [progress = found] = await run<Progress>(BEGIN_MOVING);
      await run(MOVE_WEBHOOKS, [progress.step]);
      await run(MOVE_JOBS, [progress.step]);
    }
    const { step, webhookId, nextAttemptAt, sequence } = progress;
    const [batch] = await run<{ more: boolean }>(MOVE_DELIVERIES, [
      step,
      webhookId,
      nextAttemptAt,
      sequence,
    ]);
    return { more: batch?.more ?? false, ...stepped };
  }

  private report(steppedMs: number): void {
    this.log.warn(
      { steppedSeconds: Math.round(steppedMs / 1000) },
      "The database's clock went back; planned work was moved with it. Configure NTP to slew the clock instead of stepping it.",
    );
  }
}
