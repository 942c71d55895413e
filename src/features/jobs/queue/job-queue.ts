import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { insertAuditEntry, type AuditInput } from '../../audit/audit.repository.js';
import { ownerOf } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { HOUR_MS } from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { encodeId, newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import type { JobInput, JobKind } from './job-kind.js';
import { JobEntity } from '../entities/job.entity.js';
import { JobRepository } from '../job.repository.js';
import { hasEnded, RESULT_MS, type Job } from '../job.js';

/** Interval between two reads of a job that a client waits for. */
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 160;

/** A request for a job. */
export interface JobOrder<Kind extends JobKind> {
  kind: Kind;
  input: JobInput<Kind>;
  /** True if the `long` limits of the kind apply, if it has any. */
  isLong?: boolean;
  /** A stored file that the job reads. */
  inputFileId?: string;
  /** Returns the audit entry to write with the job. */
  entry?: (jobId: string) => AuditInput;
  /** Runs in the transaction before a new job is inserted. Rejects to refuse the job. */
  admit?: () => Promise<void>;
}

/** Which jobs an order can reuse. */
export interface Reuse {
  /** False to reuse only unfinished jobs. */
  reusesResults?: boolean;
}

/** Adds background jobs. */
@Injectable()
export class JobQueue {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobRepository,
    private readonly clock: Clock,
  ) {}

  /** Adds a job in the caller's transaction. Throws `conflict` if the account has too many unfinished jobs of the kind. */
  add<Kind extends JobKind>(order: JobOrder<Kind>, context: RequestContext): Promise<Job> {
    return this.serialized(context, () => this.insert(order, context));
  }

  /**
   * Returns an unfinished job with the same input, or one whose result can be fetched for at least another hour. Otherwise
   * adds a job like {@link add}. Callers who do not see all documents only get a job of their own, which they can read.
   */
  addOnce<Kind extends JobKind>(
    order: JobOrder<Kind>,
    context: RequestContext,
    { reusesResults = true }: Reuse = {},
  ): Promise<Job> {
    return this.serialized(context, async () => {
      const { accountId } = context.principal;
      const now = this.clock.now().getTime();
      const since = new Date(reusesResults ? now - RESULT_MS + HOUR_MS : now);
      const job = { accountId, kind: order.kind.name, input: order.input };
      const owner = context.access.isWhole ? undefined : ownerOf(context.principal);
      return (await this.jobs.findSame(job, { since, owner })) ?? this.insert(order, context);
    });
  }

  /**
   * Returns the job when it has finished, or its current state after `ms`. Within a transaction, returns immediately,
   * because no worker sees the job before the commit.
   */
  async waitForEnd({ id }: Pick<Job, 'id'>, ms: number): Promise<Job> {
    const deadline = performance.now() + (this.database.isInTransaction ? 0 : ms);
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(2 * pause, LAST_POLL_MS)) {
      const job = await this.jobs.read(id);
      if (hasEnded(job) || performance.now() + pause > deadline) return job;
      await delay(pause);
    }
  }

  /** Throws `conflict` if the account has an unfinished job of a kind that can have only one. */
  async requireNone(kind: JobKind, accountId: string): Promise<void> {
    const job = await this.jobs.findAnyUnfinished(accountId, kind.name);
    if (job) throw alreadyRunning(job);
  }

  /** Cancels a job without an input file that its feature no longer needs. Ignores finished jobs. */
  cancel(id: string): Promise<void> {
    return this.jobs.cancel(id, this.clock.now());
  }

  /** Runs `work` while no other job of the account is added. */
  private serialized(context: RequestContext, work: () => Promise<Job>): Promise<Job> {
    return this.database.transaction(async () => {
      await this.jobs.lockOrders(context.principal.accountId);
      return work();
    }, context.caller);
  }

  private async insert<Kind extends JobKind>(
    order: JobOrder<Kind>,
    { principal, requestId, clientAddress, userAgent }: RequestContext,
  ): Promise<Job> {
    const { kind, input, inputFileId = null } = order;
    const job = {
      id: newUuid(),
      accountId: principal.accountId,
      kind: kind.name,
      ...{ input, inputFileId },
      context: { principal, requestId, clientAddress, userAgent },
      isLong: kind.limits.long !== undefined && order.isLong === true,
      createdAt: this.clock.now(),
    };
    const { unfinished, turn } = await this.jobs.place(job);
    const limit = kind.limits.unfinishedPerAccount;
    if (unfinished >= limit) {
      if (limit > 1) throw tooManyUnfinished(kind.name, limit);
      throw alreadyRunning(await this.jobs.findUnfinished(job.accountId, job.kind));
    }
    await order.admit?.();
    const inserted = await this.jobs.insert(job, turn);
    if (order.entry) await insertAuditEntry(this.database, order.entry(job.id));
    return inserted;
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([JobEntity])],
  providers: [JobQueue, JobRepository],
  exports: [JobQueue, JobRepository],
})
export class JobQueueModule {}

export function alreadyRunning({ id, kind }: Pick<Job, 'id' | 'kind'>): AppError {
  const jobId = encodeId('job', id);
  return new AppError(
    'conflict',
    `The account already has an unfinished ${kind.replace('account.', '')}. Wait for ${jobId} to finish, or cancel it.`,
    { jobId, kind },
  );
}

function tooManyUnfinished(kind: string, limit: number): AppError {
  return new AppError(
    'conflict',
    `The account has ${String(limit)} unfinished jobs of the kind ${kind}, which is the maximum. Wait for some to finish, or cancel them.`,
    { limit, kind },
  );
}
