import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit-entry.js';
import type { Cause } from '../auth/cause.js';
import { Clock } from '../clock/clock.js';
import { Database, type Executor, type Statement } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { encodeId, newUuid } from '../identifiers/identifiers.js';
import { fromRow, JOB_COLUMNS, type JobRow } from './job-row.js';
import type { Job, JobCause, JobKind } from './job.js';

/** Most jobs of an account that have not ended. */
const MAX_UNFINISHED = 100;

/** The workers hear of it when it commits. `DO NOTHING`: the account has one of a kind of which it may have one. */
const ADD: Statement = {
  name: 'jobs.add',
  text: `WITH made AS (
      INSERT INTO jobs (id, account_id, kind, input, input_file_id, cause, total, run_at, created_at)
      SELECT $1::uuid, $2::uuid, $3::text, $4::json, $5::uuid, $6::json, $7::bigint, clock_timestamp(), $8::timestamptz
       WHERE (SELECT count(*) FROM jobs WHERE account_id = $2 AND status IN ('queued', 'running')) < $9
      ON CONFLICT DO NOTHING
      RETURNING *
    ), audited AS (${insertAuditEntries('$10', 'WHERE EXISTS (SELECT FROM made)')}
    ), told AS MATERIALIZED (SELECT pg_notify('jobs', '') FROM made)
    SELECT ${JOB_COLUMNS} FROM made AS item, told`,
};

/** One that is waiting, under way, or has a result that lasts at least an hour more. */
const FIND_ALIKE: Statement = {
  name: 'jobs.find-alike',
  text: `SELECT ${JOB_COLUMNS} FROM jobs AS item
          WHERE account_id = $1 AND kind = $2 AND input::text = $3
            AND (status IN ('queued', 'running')
                 OR status = 'succeeded' AND (result->>'expiresAt')::timestamptz > $4::timestamptz + interval '1 hour')
          ORDER BY created_at DESC, id DESC LIMIT 1`,
};

/** Whoever asks for the same thing at the same moment waits, and finds the job. */
const HOLD_ALIKE: Statement = {
  name: 'jobs.hold-alike',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($2::text || $3::text, quota_lock($1::uuid)))`,
};

const FIND_UNFINISHED: Statement = {
  name: 'jobs.find-unfinished',
  text: `SELECT ${JOB_COLUMNS} FROM jobs AS item
          WHERE account_id = $1 AND kind = $2 AND status IN ('queued', 'running') LIMIT 1`,
};

/** A job to be done. */
export interface JobOrder {
  kind: JobKind;
  /** For its runner; never secrets. */
  input: Record<string, unknown>;
  /** A stored file that it reads. */
  inputFileId?: string;
  /** How many steps it has, where that is known already. */
  total?: number;
  /** Written with it; gets the job's id. */
  entry?: (jobId: string) => AuditRow;
}

/** Takes orders for work in the background. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The job for the same thing that was asked for lately, or else a new one. Throws as {@link add} does. */
  async addOnce(order: JobOrder, cause: Cause): Promise<Job> {
    const known = await this.findAlike(order, cause);
    if (known) return known;
    const { kind, input } = order;
    const inTransaction = async (executor: Executor) => {
      const held = { ...cause, executor };
      await executor.run(HOLD_ALIKE, [cause.principal.accountId, kind, JSON.stringify(input)]);
      return (await this.findAlike(order, held)) ?? this.add(order, held);
    };
    return cause.executor
      ? inTransaction(cause.executor)
      : this.database.transaction(inTransaction, cause.caller);
  }

  private async findAlike({ kind, input }: JobOrder, cause: Cause): Promise<Job | undefined> {
    const [row] = await (cause.executor ?? this.database).run<JobRow>(FIND_ALIKE, [
      cause.principal.accountId,
      kind,
      JSON.stringify(input),
      this.clock.now(),
    ]);
    return row && fromRow(row);
  }

  /** The new job, in the transaction of the cause. Throws `conflict` when the account has as many as it may have. */
  async add(order: JobOrder, cause: Cause): Promise<Job> {
    const { executor = this.database, principal, requestId, clientAddress, userAgent } = cause;
    const asked: JobCause = { principal, requestId, clientAddress, userAgent };
    const id = newUuid();
    const entry = order.entry?.(id);
    const [row] = await executor.run<JobRow>(ADD, [
      id,
      cause.principal.accountId,
      order.kind,
      JSON.stringify(order.input),
      order.inputFileId,
      JSON.stringify(asked),
      order.total,
      this.clock.now(),
      MAX_UNFINISHED,
      JSON.stringify(entry ? [entry] : []),
    ]);
    if (row) return fromRow(row);
    const [other] = await executor.run<JobRow>(FIND_UNFINISHED, [
      cause.principal.accountId,
      order.kind,
    ]);
    throw other && order.kind !== 'document.export' ? alreadyUnderWay(fromRow(other)) : tooMany();
  }
}

/** The answer to asking for what is being done. */
export function alreadyUnderWay({ id, kind }: Pick<Job, 'id' | 'kind'>): AppError {
  const jobId = encodeId('job', id);
  return new AppError(
    'conflict',
    `The account has an ${kind.replace('account.', '')} under way. Wait for ${jobId} to end, or cancel it.`,
    { jobId, kind },
  );
}

/** The answer to one job too many. */
export function tooMany(): AppError {
  return new AppError(
    'conflict',
    `The account has ${String(MAX_UNFINISHED)} jobs that have not ended. Wait for some, or cancel them.`,
    { limit: MAX_UNFINISHED },
  );
}
