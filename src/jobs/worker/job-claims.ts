import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import type { ClaimedJob, Progress } from '../job-runner.js';
import type { JobError } from '../job.js';
import { GIVEN_UP, MAX_ATTEMPTS } from './attempt-outcome.js';

/** How long a job is held without a word; a worker that is gone is missed after it. */
export const LEASE_MS = 30_000;
/** Of one account, under way over all workers. */
const SHARE = 2;

/** Claims take turns, so that each sees what those before it have claimed, and no account gets more than its share. */
const LOCK: Statement = {
  name: 'jobs.lock-claims',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('jobs.claim', 0))`,
};

const CLAIM: Statement = {
  name: 'jobs.claim',
  text: `WITH busy AS (
      SELECT account_id FROM jobs
       WHERE status = 'running' AND lease_expires_at > clock_timestamp()
       GROUP BY account_id HAVING count(*) >= $2
    ), chosen AS (
      SELECT id FROM jobs
       WHERE status IN ('queued', 'running') AND kind = ANY ($1::text[]) AND run_at <= clock_timestamp()
         AND attempts < $3 AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
         AND account_id NOT IN (SELECT account_id FROM busy)
       ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE jobs AS job
       SET status = 'running', attempts = job.attempts + 1, started_at = coalesce(job.started_at, $5), done = 0,
           lease_expires_at = clock_timestamp() + $4 * interval '1 millisecond',
           lease_generation = job.lease_generation + 1
      FROM chosen WHERE job.id = chosen.id
    RETURNING job.id, job.account_id AS "accountId", job.kind, job.input, job.input_file_id AS "inputFileId", job.cause,
              job.attempts, job.lease_generation AS generation`,
};

/** Only while the job is this worker's: of its generation, and running. */
const HELD = `id = $1 AND lease_generation = $2 AND status = 'running'`;

const HOLD: Statement = {
  name: 'jobs.hold',
  text: `UPDATE jobs SET lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond', done = $4, total = $5
          WHERE ${HELD} RETURNING id`,
};

const RELEASE: Statement = {
  name: 'jobs.release',
  text: `WITH released AS (
      UPDATE jobs SET status = 'queued', lease_expires_at = NULL, attempts = attempts - 1, run_at = clock_timestamp()
       WHERE ${HELD} RETURNING id
    )
    SELECT pg_notify('jobs', '') FROM released`,
};

const RETRY: Statement = {
  name: 'jobs.retry',
  text: `UPDATE jobs SET status = 'queued', lease_expires_at = NULL,
                run_at = clock_timestamp() + $3 * interval '1 millisecond'
          WHERE ${HELD} RETURNING id`,
};

const DROP_INPUTS = `UPDATE stored_files SET expires_at = $1 WHERE id IN (SELECT input_file_id FROM failed)`;

const FAIL: Statement = {
  name: 'jobs.fail',
  text: `WITH failed AS (
      UPDATE jobs SET status = 'failed', lease_expires_at = NULL, finished_at = $1, error = $4
       WHERE id = $2 AND lease_generation = $3 AND status = 'running' RETURNING id, input_file_id
    ), dropped AS (${DROP_INPUTS})
    SELECT id FROM failed`,
};

/** Their workers have ended without a word, the last time allowed. */
const GIVE_UP: Statement = {
  name: 'jobs.give-up',
  text: `WITH failed AS (
      UPDATE jobs SET status = 'failed', lease_expires_at = NULL, finished_at = $1, error = $2
       WHERE status = 'running' AND attempts >= $3 AND lease_expires_at <= clock_timestamp()
      RETURNING id, input_file_id
    ), dropped AS (${DROP_INPUTS})
    SELECT id FROM failed`,
};

type ClaimedRow = Omit<ClaimedJob, 'input' | 'cause'> & { input: string; cause: string };

/** Which job is whose. Across all accounts: it answers nobody. */
@Injectable()
export class JobClaims {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Leases the job that has waited longest; nothing of an account that has its share under way. */
  async claim(kinds: readonly string[]): Promise<ClaimedJob | undefined> {
    const values = [kinds, SHARE, MAX_ATTEMPTS, LEASE_MS, this.clock.now()];
    const [row] = await this.database.transaction(async () => {
      await this.database.run(LOCK, []);
      return this.database.run<ClaimedRow>(CLAIM, values);
    });
    return (
      row && {
        ...row,
        input: JSON.parse(row.input) as ClaimedJob['input'],
        cause: JSON.parse(row.cause) as ClaimedJob['cause'],
      }
    );
  }

  /** Holds the job for another while and writes its progress; `false` when it is not this worker's any more. */
  async hold({ id, generation }: ClaimedJob, { done, total }: Progress): Promise<boolean> {
    return (await this.database.run(HOLD, [id, generation, LEASE_MS, done, total])).length > 0;
  }

  /** Gives back a job that was not ended, as if it had not been begun; other workers hear of it. */
  async release({ id, generation }: ClaimedJob): Promise<void> {
    await this.database.run(RELEASE, [id, generation]);
  }

  async retry({ id, generation }: ClaimedJob, inMs: number): Promise<void> {
    await this.database.run(RETRY, [id, generation, inMs]);
  }

  async fail({ id, generation }: ClaimedJob, error: JobError): Promise<void> {
    await this.database.run(FAIL, [this.clock.now(), id, generation, JSON.stringify(error)]);
  }

  /** Ends jobs that took their workers with them too often. */
  async giveUp(): Promise<void> {
    await this.database.run(GIVE_UP, [this.clock.now(), JSON.stringify(GIVEN_UP), MAX_ATTEMPTS]);
  }
}
