import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { insertAuditEntry, type AuditInput } from '../audit/audit.repository.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { encodeId, newUuid } from '../../platform/basics/identifiers/identifiers.js';
import { JobEntity } from './entities/job.entity.js';
import type { JobInput, JobKind } from './job-kind.js';
import { hasEnded, RESULT_MS, type Job } from './job.js';
import type { JobContext } from './job-state.js';

const HOUR_MS = 60 * 60 * 1000;
/** Pauses between two looks at a job that somebody waits for. */
const FIRST_LOOK_MS = 20;
const LAST_LOOK_MS = 160;

/** Orders of one account come one after the other: each counts those before it. */
const LOCK: Statement = {
  name: 'jobs.lock-orders',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('jobs.order' || $1::text, 0))`,
};

/**
 * How many jobs of the kind the account has, and the turn of a new one: behind the account's others, and not before what
 * is to be begun next. So accounts alternate, and a new one does not wait for all that others have ordered.
 */
const PLACE: Statement = {
  name: 'jobs.place',
  text: `SELECT count(*)::integer AS unfinished,
                coalesce(greatest(max(turn) FILTER (WHERE is_long = $3) + 1, (SELECT min(turn) FROM jobs
                  WHERE kind = $2 AND is_long = $3 AND status = 'queued' AND run_at <= clock_timestamp())), 0) AS turn
           FROM jobs WHERE account_id = $1 AND kind = $2 AND status IN ('queued', 'running')`,
};

/** Heard by workers when the transaction commits. */
const NOTIFY: Statement = { name: 'jobs.notify', text: `SELECT pg_notify('jobs', '')` };

/** The payload is the UUID of a cancelled job, for the worker that does it. */
export const NOTIFY_CANCELLED: Statement = {
  name: 'jobs.notify-cancelled',
  text: `SELECT pg_notify('jobs', $1)`,
};

/** A job to be done. */
export interface JobOrder<Kind extends JobKind> {
  kind: Kind;
  input: JobInput<Kind>;
  /** Whether it counts against the `long` limits of its kind, where the kind has them. */
  isLong?: boolean;
  /** A stored file that it reads. */
  inputFileId?: string;
  /** Written with it; gets the job's id. */
  entry?: (jobId: string) => AuditInput;
  /** Called in the transaction before a new job is written; what it throws refuses the job. */
  admit?: () => Promise<void>;
}

/** Takes orders for work in the background. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The new job, which commits with the caller's transaction. Throws `conflict` when the account has as many as it may have. */
  add<Kind extends JobKind>(order: JobOrder<Kind>, context: RequestContext): Promise<Job> {
    return this.inTurn(context, () => this.insert(order, context));
  }

  /** The job for the same input that was asked for lately, or else a new one. Throws as {@link add} does. */
  addOnce<Kind extends JobKind>(order: JobOrder<Kind>, context: RequestContext): Promise<Job> {
    return this.inTurn(
      context,
      async () => (await this.findAlike(order, context)) ?? this.insert(order, context),
    );
  }

  /** The job when it has ended, or as it is after `ms`; in a transaction at once, for nobody else sees it before that ends. */
  async ended({ id }: Pick<Job, 'id'>, ms: number): Promise<Job> {
    const deadline = performance.now() + (this.database.isInTransaction ? 0 : ms);
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(2 * pause, LAST_LOOK_MS)) {
      const job = await this.database.repository(JobEntity).findOneByOrFail({ id });
      if (hasEnded(job) || performance.now() + pause > deadline) return job;
      await delay(pause);
    }
  }

  /** Ends a job without a file that its feature does not need any more; nothing when it has ended. */
  async withdraw(id: string): Promise<void> {
    const change = {
      status: 'cancelled',
      finishedAt: this.clock.now(),
      leaseExpiresAt: null,
    } as const;
    await this.database
      .repository(JobEntity)
      .update({ id, status: In(['queued', 'running']) }, change);
    await this.database.run(NOTIFY_CANCELLED, [id]);
  }

  private inTurn(context: RequestContext, work: () => Promise<Job>): Promise<Job> {
    return this.database.transaction(async () => {
      await this.database.run(LOCK, [context.principal.accountId]);
      return work();
    }, context.caller);
  }

  /** One that waits, runs, or has a result that can be fetched for at least an hour more. */
  private findAlike(
    { kind, input }: JobOrder<JobKind>,
    { principal: { accountId } }: RequestContext,
  ): Promise<Job | null> {
    return this.database
      .repository(JobEntity)
      .createQueryBuilder('job')
      .where({ accountId, kind: kind.name })
      .andWhere('job.input::text = :input', { input: JSON.stringify(input) })
      .andWhere(
        `(job.status IN ('queued', 'running') OR job.status = 'succeeded' AND job.finishedAt > :since)`,
        { since: new Date(this.clock.now().getTime() - RESULT_MS + HOUR_MS) },
      )
      .orderBy({ 'job.createdAt': 'DESC', 'job.id': 'DESC' })
      .limit(1)
      .getOne();
  }

  private async insert<Kind extends JobKind>(
    order: JobOrder<Kind>,
    context: RequestContext,
  ): Promise<Job> {
    const { principal, requestId, clientAddress, userAgent } = context;
    const { kind } = order;
    const { accountId } = principal;
    const isLong = kind.limits.long !== undefined && order.isLong === true;
    const [place] = await this.database.run<{ unfinished: number; turn: number }>(PLACE, [
      accountId,
      kind.name,
      isLong,
    ]);
    const { unfinished, turn } = place ?? { unfinished: 0, turn: 0 };
    if (unfinished >= kind.limits.unfinishedPerAccount) throw await this.tooMany(kind, accountId);
    await order.admit?.();
    const jobs = this.database.repository(JobEntity);
    const id = newUuid();
    const asked: JobContext = { principal, requestId, clientAddress, userAgent };
    await jobs.insert({
      id,
      accountId,
      kind: kind.name,
      input: order.input,
      inputFileId: order.inputFileId ?? null,
      context: asked,
      turn,
      isLong,
      runAt: () => 'clock_timestamp()',
      createdAt: this.clock.now(),
    });
    if (order.entry) await insertAuditEntry(this.database, order.entry(id));
    await this.database.run(NOTIFY, []);
    return jobs.findOneByOrFail({ id });
  }

  private async tooMany({ name: kind, limits }: JobKind, accountId: string): Promise<AppError> {
    if (limits.unfinishedPerAccount > 1)
      return tooManyUnfinished(kind, limits.unfinishedPerAccount);
    const other = await this.database
      .repository(JobEntity)
      .createQueryBuilder('job')
      .where({ accountId, kind })
      .andWhere(`job.status IN ('queued', 'running')`)
      .getOneOrFail();
    return alreadyUnderWay(other);
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
function tooManyUnfinished(kind: string, limit: number): AppError {
  return new AppError(
    'conflict',
    `The account has ${String(limit)} jobs of the kind ${kind} that have not ended. Wait for some, or cancel them.`,
    { limit, kind },
  );
}
