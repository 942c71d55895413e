import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { redactSecretsIn } from '../../../platform/basics/redact-secrets.js';
import { JobEntity } from '../entities/job.entity.js';
import type { JobLane, JobOutput } from '../queue/job-kind.js';
import { RESULT_MS, type FileResult, type Progress } from '../job.js';
import type { JobContext, JobError } from '../queue/job-state.js';
import { StoredFilesRepository } from '../stored-files.repository.js';
import { MAX_CRASHES, quarantined } from './attempt-outcome.js';

/** Another worker takes over a job after this time without a heartbeat. */
export const LEASE_MS = 30_000;
/** Maximum length of a JSON result. Larger results must be files. */
const MAX_JSON_LENGTH = 2 * 1024 * 1024;

/** Serializes claims, because each one counts the running jobs. */
const LOCK: Statement = {
  name: 'jobs.lock-claims',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('jobs.claim', 0))`,
};

/** Requeues jobs whose lease has expired. This counts as a crash, because the job may have ended its worker. */
const RECOVER: Statement = {
  name: 'jobs.recover',
  text: `WITH lapsed AS (
      UPDATE jobs SET crashes = crashes + 1, lease_expires_at = NULL, run_at = clock_timestamp(),
             status = CASE WHEN crashes + 1 < $1 THEN 'queued' ELSE 'failed' END,
             finished_at = CASE WHEN crashes + 1 < $1 THEN NULL ELSE $2::timestamptz END,
             error = CASE WHEN crashes + 1 < $1 THEN NULL ELSE $3::json END
       WHERE status = 'running' AND lease_expires_at <= clock_timestamp()
      RETURNING input_file_id, status
    )
    UPDATE stored_files SET expires_at = $2
     WHERE id IN (SELECT input_file_id FROM lapsed WHERE status = 'failed')`,
};

/** Claims the next job of each lane. Skips accounts that are suspended or have reached their limit. */
const CLAIM: Statement = {
  name: 'jobs.claim',
  text: `WITH wanted AS (
      SELECT * FROM unnest($1::text[], $5::boolean[], $2::integer[]) AS wanted (kind, is_long, at_once)
    ), busy AS (
      SELECT kind, is_long, account_id FROM jobs JOIN wanted USING (kind, is_long)
       WHERE status = 'running' GROUP BY kind, is_long, account_id, at_once HAVING count(*) >= at_once
    ), chosen AS (
      SELECT next.id FROM wanted CROSS JOIN LATERAL (
        SELECT id FROM jobs AS job
         WHERE job.kind = wanted.kind AND job.is_long = wanted.is_long AND status = 'queued' AND run_at <= clock_timestamp()
           AND NOT EXISTS (SELECT FROM busy
                            WHERE busy.kind = job.kind AND busy.is_long = job.is_long AND busy.account_id = job.account_id)
           AND NOT EXISTS (SELECT FROM accounts WHERE id = job.account_id AND suspended_at IS NOT NULL)
         ORDER BY turn, id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) AS next
    )
    UPDATE jobs AS job
       SET status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, $4), done = 0,
           lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond', lease_generation = lease_generation + 1
      FROM chosen WHERE job.id = chosen.id
    RETURNING job.id, account_id AS "accountId", kind, is_long AS "isLong", input, input_file_id AS "inputFileId", context, attempts, crashes,
              lease_generation AS generation`,
};

/** Wakes the other workers. */
const NOTIFY: Statement = { name: 'jobs.notify-released', text: `SELECT pg_notify('jobs', '')` };

/** A job that a worker holds. Ids are UUIDs. */
export interface ClaimedJob {
  id: string;
  accountId: string;
  kind: string;
  isLong: boolean;
  /** Not validated yet; see {@link JobKind.input}. */
  input: unknown;
  inputFileId: string | null;
  context: JobContext;
  /** Includes the current one. */
  attempts: number;
  crashes: number;
  /** Generation of the lease. */
  generation: number;
}

type Held = Pick<ClaimedJob, 'id' | 'generation'>;
type ClaimedRow = Omit<ClaimedJob, 'input' | 'context'> & { input: string; context: string };

/** Leases of jobs of all accounts. Every write checks the generation, so only the holder of a lease changes its job. */
@Injectable()
export class JobLeaseRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(JobEntity) private readonly jobs: Repository<JobEntity>,
    private readonly files: StoredFilesRepository,
    private readonly clock: Clock,
  ) {}

  /** Claims at most one job per lane. */
  claim(lanes: readonly JobLane[]): Promise<ClaimedJob[]> {
    return this.database.transaction(async () => {
      const now = this.clock.now();
      await this.database.run(LOCK, []);
      const error = JSON.stringify(quarantined('crashed its worker or kept it from responding'));
      await this.database.run(RECOVER, [MAX_CRASHES, now, error]);
      const values = [
        lanes.map(({ kind }) => kind.name),
        lanes.map(({ concurrencyPerAccount }) => concurrencyPerAccount),
        LEASE_MS,
        now,
        lanes.map(({ isLong }) => isLong),
      ];
      const rows = await this.database.run<ClaimedRow>(CLAIM, values);
      return rows.map((row) => ({
        ...row,
        input: JSON.parse(row.input) as unknown,
        context: JSON.parse(row.context) as JobContext,
      }));
    });
  }

  /** Extends the lease and writes the progress. Returns false if the lease is lost. */
  renew(job: Held, { done, total }: Progress): Promise<boolean> {
    return this.write(job, { done, total, leaseExpiresAt: () => inFuture(LEASE_MS) });
  }

  /** Requeues an unfinished job without counting the attempt. */
  async release(job: Held): Promise<void> {
    const attempts = () => 'attempts - 1';
    await this.write(job, { ...QUEUED, attempts, runAt: () => inFuture(0) });
    await this.database.run(NOTIFY, []);
  }

  async retry(job: Held, inMs: number, crashes: number): Promise<void> {
    await this.write(job, { ...QUEUED, crashes, runAt: () => inFuture(inMs) });
  }

  async fail(job: ClaimedJob, error: JobError, crashes: number): Promise<void> {
    const finishedAt = this.clock.now();
    await this.database.transaction(async () => {
      const change = {
        status: 'failed',
        leaseExpiresAt: null,
        finishedAt,
        error: redactSecretsIn(error),
        crashes,
      } as const;
      if (await this.write(job, change)) await this.files.setExpiry(job.inputFileId, finishedAt);
    });
  }

  /** Stores the success in the caller's transaction, if any. Rejects if the lease is lost. */
  async succeed(job: ClaimedJob, output: JobOutput, { done, total }: Progress): Promise<void> {
    const finishedAt = this.clock.now();
    const expiresAt = new Date(finishedAt.getTime() + RESULT_MS);
    const steps = total ?? done;
    await this.database.transaction(async () => {
      const isHeld = await this.write(job, {
        ...resultOf(output, expiresAt),
        status: 'succeeded',
        leaseExpiresAt: null,
        finishedAt,
        done: steps,
        total: steps,
      });
      if (!isHeld) throw new Error('This worker no longer holds the job.');
      if ('file' in output) await this.files.setExpiry(output.file.id, expiresAt);
      await this.files.setExpiry(job.inputFileId, finishedAt);
    });
  }

  /** Returns false if the lease is lost. */
  private async write({ id, generation }: Held, change: Change): Promise<boolean> {
    const held = { id, leaseGeneration: generation, status: 'running' as const };
    const { affected } = await this.jobs.update(
      held,
      change as Parameters<Repository<JobEntity>['update']>[1],
    );
    return affected === 1;
  }
}

type Change = { [Field in keyof JobEntity]?: JobEntity[Field] | (() => string) };

const QUEUED = { status: 'queued', leaseExpiresAt: null } as const;

/** Returns SQL for a time by the database's clock. */
function inFuture(ms: number): string {
  return `clock_timestamp() + ${String(ms)} * interval '1 millisecond'`;
}

/** Throws if the JSON is too large, because every read of the job returns it. */
function resultOf(output: JobOutput, expiresAt: Date): Pick<JobEntity, 'result' | 'resultFileId'> {
  if ('json' in output) {
    const { length } = JSON.stringify(output.json);
    if (length > MAX_JSON_LENGTH) {
      throw new Error(
        `The result has ${String(length)} characters of JSON, and the maximum is ${String(MAX_JSON_LENGTH)}. Let the runner write a file.`,
      );
    }
    return { result: output.json, resultFileId: null };
  }
  const { file, mediaType, fileName, summary = null } = output;
  const result: FileResult = {
    bytes: file.bytes,
    mediaType,
    fileName,
    expiresAt: expiresAt.toISOString(),
    summary,
  };
  return { result: { ...result }, resultFileId: file.id };
}
