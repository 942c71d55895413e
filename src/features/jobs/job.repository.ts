import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { HOUR_MS, RunsInBackground } from '../../platform/background/background-tasks.js';
import { Retention } from '../../platform/background/retention.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import type { Owner } from '../auth/principal.js';
import { isOwnJob, readableJobs, type JobReader } from './job-access.js';
import type { JobKind } from './queue/job-kind.js';
import { JobEntity } from './entities/job.entity.js';
import { JOB_DAYS, type Job } from './job.js';

/** Counting them is fast enough, because jobs are deleted after 30 days. */
const VISIBLE = 'item.account_id = $1 AND item.kind = ANY ($2::text[])';
const LISTING = {
  name: 'jobs',
  table: 'jobs',
  where: VISIBLE,
  total: `SELECT count(*) AS n FROM jobs AS item WHERE ${VISIBLE}`,
  columns: 'item.id',
  sorts: BY_CREATION,
};

/** Maximum length of the results on one page, in bytes of JSON. */
const MAX_PAGE_RESULTS_BYTES = 8 * 1024 * 1024;

/** Selects the jobs of a page, in its order, whose results make the page too large. */
const TOO_LARGE: Statement = {
  name: 'jobs.too-large',
  text: `SELECT id FROM (
      SELECT id, result IS NOT NULL AS has_result, sum(octet_length(result::text)) OVER (ORDER BY place) AS bytes
        FROM jobs JOIN unnest($1::uuid[]) WITH ORDINALITY AS page (id, place) USING (id)
    ) AS sized WHERE has_result AND bytes > ${String(MAX_PAGE_RESULTS_BYTES)}`,
};

/** Serializes orders of the same account, because each one counts the existing jobs. */
const LOCK: Statement = {
  name: 'jobs.lock-orders',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('jobs.order' || $1::text, 0))`,
};

/**
 * Returns the number of unfinished jobs of the kind, and the turn of a new one: after the account's other jobs, and not
 * before the next due job. Accounts therefore alternate, and a new account does not wait for all jobs of the others.
 */
const PLACE: Statement = {
  name: 'jobs.place',
  text: `SELECT count(*)::integer AS unfinished,
                coalesce(greatest(max(turn) FILTER (WHERE is_long = $3) + 1, (SELECT min(turn) FROM jobs
                  WHERE kind = $2 AND is_long = $3 AND status = 'queued' AND run_at <= clock_timestamp())), 0) AS turn
           FROM jobs WHERE account_id = $1 AND kind = $2 AND status IN ('queued', 'running')`,
};

/** Wakes workers after the commit. A payload is the UUID of a cancelled job, or empty for a new one. */
const ANNOUNCE: Statement = {
  name: 'jobs.announce',
  text: `SELECT pg_notify('jobs', unnest($1::text[]))`,
};

const UNFINISHED = ['queued', 'running'] as const;

/** A new job whose turn is not set yet. */
type NewJob = Pick<
  JobEntity,
  'id' | 'accountId' | 'kind' | 'input' | 'inputFileId' | 'context' | 'isLong' | 'createdAt'
>;

/** Which jobs to list. */
interface ListedJobs {
  accountId: string;
  kinds: readonly JobKind[];
  /** Undefined if the caller sees all documents. */
  reader: JobReader | undefined;
}

/** Jobs as clients see them. Workers use {@link JobLeaseRepository}. */
@Injectable()
export class JobRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(JobEntity) private readonly jobs: Repository<JobEntity>,
  ) {}

  /**
   * Reads one page of the jobs of these kinds; with `reader`, only those that they can see. Results that make the page
   * larger than 8 MiB are null.
   */
  async list(
    { accountId, kinds, reader }: ListedJobs,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Job>> {
    const all = { ...LISTING, values: [kinds.map(({ name }) => name)] };
    const listing = reader ? readableJobs(all, reader, kinds) : all;
    const { rows, pagination } = await readPage<{ id: string }, CreationSort>(
      this.database,
      listing,
      accountId,
      request,
    );
    const ids = rows.map(({ id }) => id);
    const large = await this.database.run<{ id: string }>(TOO_LARGE, [ids]);
    const without = new Set(large.map(({ id }) => id));
    const jobs = await this.jobs.findBy({ id: In(ids.filter((id) => !without.has(id))) });
    jobs.push(...(await this.withoutResults([...without])));
    return { rows: ids.flatMap((id) => jobs.find((job) => job.id === id) ?? []), pagination };
  }

  private async withoutResults(ids: readonly string[]): Promise<Job[]> {
    if (ids.length === 0) return [];
    const columns = this.jobs.metadata.columns
      .filter(({ propertyName }) => propertyName !== 'result')
      .map(({ propertyName }) => `job.${propertyName}`);
    const jobs = await this.jobs
      .createQueryBuilder('job')
      .select(columns)
      .whereInIds(ids)
      .getMany();
    return jobs.map((job) => ({ ...job, result: null }));
  }

  find(accountId: string, id: string, { forUpdate = false } = {}): Promise<Job | null> {
    return this.jobs.findOne({
      where: { id, accountId },
      ...(forUpdate && { lock: { mode: 'pessimistic_write' } }),
    });
  }

  read(id: string): Promise<Job> {
    return this.jobs.findOneByOrFail({ id });
  }

  findUnfinished(accountId: string, kind: string): Promise<Job> {
    return this.jobs.findOneByOrFail({ accountId, kind, status: In(UNFINISHED) });
  }

  findAnyUnfinished(accountId: string, kind: string): Promise<Job | null> {
    return this.jobs.findOneBy({ accountId, kind, status: In(UNFINISHED) });
  }

  /**
   * Finds the newest job with the same input that is unfinished or succeeded after `since`; with `owner`, only among their
   * jobs.
   */
  findSame(
    { accountId, kind, input }: Pick<JobEntity, 'accountId' | 'kind' | 'input'>,
    { since, owner }: { since: Date; owner: Owner | undefined },
  ): Promise<Job | null> {
    const same = this.jobs.createQueryBuilder('job').where({ accountId, kind });
    if (owner) same.andWhere(isOwnJob(owner, 'job', ':owner'), { owner: owner.id });
    return same
      .andWhere('job.input::text = :input', { input: JSON.stringify(input) })
      .andWhere(
        `(job.status IN ('queued', 'running') OR job.status = 'succeeded' AND job.finishedAt > :since)`,
        { since },
      )
      .orderBy({ 'job.createdAt': 'DESC', 'job.id': 'DESC' })
      .limit(1)
      .getOne();
  }

  /** Blocks other orders of the account until the transaction ends. */
  async lockOrders(accountId: string): Promise<void> {
    await this.database.run(LOCK, [accountId]);
  }

  /** Returns the number of the account's unfinished jobs of a kind, and the turn of the next one. */
  async place({ accountId, kind, isLong }: Pick<JobEntity, 'accountId' | 'kind' | 'isLong'>) {
    const values = [accountId, kind, isLong];
    const [place] = await this.database.run<{ unfinished: number; turn: number }>(PLACE, values);
    return place ?? { unfinished: 0, turn: 0 };
  }

  /** Inserts a queued job. Workers are notified after the transaction commits. */
  async insert(job: NewJob, turn: number): Promise<Job> {
    await this.jobs.insert({ ...job, turn, runAt: () => 'clock_timestamp()' });
    this.database.announce(ANNOUNCE, ['']);
    return this.read(job.id);
  }

  /** Cancels a job unless it has finished, and notifies its worker after the transaction commits. */
  async cancel(id: string, finishedAt: Date): Promise<void> {
    const change = { status: 'cancelled', finishedAt, leaseExpiresAt: null } as const;
    await this.jobs.update({ id, status: In(UNFINISHED) }, change);
    this.database.announce(ANNOUNCE, [id]);
  }
}

/** Deletes jobs 30 days after they finished. Their files expire earlier. */
@RunsInBackground({ name: 'The removal of old jobs', everyMs: HOUR_MS })
export class JobRetention extends Retention {
  protected readonly expiring = [
    { table: 'jobs', column: 'finished_at', afterMs: JOB_DAYS * 24 * HOUR_MS },
  ];
}
