import { AsyncResource } from 'node:async_hooks';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { UNLIMITED_WINDOWS, type Window, type WindowLimits } from '../auth/plan.js';
import { Coalescer, type Outcome } from '../../platform/database/concurrency/coalescer.js';
import type { Database, Statement } from '../../platform/database/database.js';

/** The state of one window. */
export interface WindowUsage {
  /** Requests counted in the running window. */
  used: number;
  /** When the window ends, or would end if it began now. UTC epoch milliseconds of the storage's clock. */
  resetAt: number;
}

/** The state of the windows of one bucket. */
export interface RateLimitUsage {
  /** The storage's clock when it read the windows, UTC epoch milliseconds. */
  now: number;
  windows: Record<Window, WindowUsage>;
}

/** The windows after a request, which they include if it was admitted. */
export interface RateLimitResult extends RateLimitUsage {
  admitted: boolean;
}

/** Requests that share limits, such as those of an account. */
export interface Bucket {
  /** UUID under which the windows are stored. */
  id: string;
  limits: WindowLimits;
}

/** Requests that count in the same buckets under the same limits, by their indexes in the batch. */
interface RequestGroup<Request> {
  request: Request;
  members: number[];
}

/** The number of admitted requests of a group, and the windows of a bucket afterwards. Times are UTC epoch milliseconds. */
interface GroupRow {
  request_index: number;
  admitted: number;
  decided_at: number;
  minute_used: number;
  minute_resets_at: number;
  hour_used: number;
  hour_resets_at: number;
  day_used: number;
  day_resets_at: number;
}

interface BucketRow extends GroupRow {
  bucket_index: number;
}

const COUNT: Statement = {
  name: 'rate-limit.count',
  text: 'SELECT * FROM take_rate_limit($1::json)',
};

const COUNT_IN_ALL: Statement = {
  name: 'rate-limit.count-in-all',
  text: 'SELECT * FROM take_rate_limits($1::json)',
};

// More statements for a busy bucket would only hold connections while waiting for the row lock. Two keep PostgreSQL
// busy while one result is being read.
const BATCHES = { maxBatch: 500, maxInFlight: 2 };

/**
 * Counts requests per bucket, such as an account, in fixed windows that start at the first request. A bucket is a UUID.
 * Counts in the table `rate_limit_windows` with the database's clock, exactly across replicas and restarts. Requests of
 * one event-loop turn share one statement, and those of one bucket share one row update.
 */
export class RateLimitStorage implements ThrottlerStorage {
  private readonly requests = new Coalescer<Bucket, RateLimitResult>(
    (requests) => this.countBatch(requests),
    BATCHES,
  );
  private readonly requestsInAll = new Coalescer<readonly Bucket[], RateLimitResult[]>(
    (requests) => this.countBatchInAll(requests),
    BATCHES,
  );
  /** Created outside any transaction. */
  private readonly outside = new AsyncResource('RateLimitStorage');

  constructor(private readonly database: Database) {}

  /**
   * Atomically counts one request in all three windows, or in none if any is full. A refused request is not counted and
   * starts no window. Rejects if the database is unavailable.
   */
  consume(bucket: string, limits: WindowLimits): Promise<RateLimitResult> {
    return this.requests.submit({ id: bucket, limits });
  }

  /**
   * Like {@link consume}, for a request that counts in all windows of one to three buckets, or in none. Returns one result
   * per bucket, in the given order.
   */
  async consumeAll(buckets: readonly Bucket[]): Promise<RateLimitResult[]> {
    const [first, ...others] = buckets;
    if (first && others.length === 0) return [await this.requests.submit(first)];
    return this.requestsInAll.submit(buckets);
  }

  /**
   * Reads the counts without counting a request or starting a window. Rejects if the database is unavailable. Never joins
   * the caller's transaction: the statement locks the row of the bucket, and a later {@link consume} would wait for it.
   */
  async currentUsage(bucket: string, limits: WindowLimits): Promise<RateLimitUsage> {
    const items = [{ index: 0, account_id: bucket, units: 0, ...limits }];
    const [row] = await this.outside.runInAsyncScope(() =>
      this.database.run<GroupRow>(COUNT, [JSON.stringify(items)]),
    );
    if (!row) throw new Error('take_rate_limit returned no row.');
    return nthResult(row, 0);
  }

  /**
   * Counts one request in the window `name`, as Nest's own `ThrottlerGuard` does it. `PlanRateLimitGuard` calls `consume`
   * instead, because a request that one window refuses must not use up the others.
   */
  async increment(
    bucket: string,
    _ttl: number,
    limit: number,
    _blockDuration: number,
    name: string,
  ): ReturnType<ThrottlerStorage['increment']> {
    const limits = { ...UNLIMITED_WINDOWS, [name]: Number.isFinite(limit) ? limit : null };
    const { admitted, now, windows } = await this.consume(bucket, limits);
    const { used, resetAt } = windows[name as Window];
    const timeToExpire = Math.ceil((resetAt - now) / 1000);
    return {
      totalHits: used,
      timeToExpire,
      isBlocked: !admitted,
      timeToBlockExpire: admitted ? 0 : timeToExpire,
    };
  }

  private async countBatch(requests: Bucket[]): Promise<Outcome<RateLimitResult>[]> {
    const groups = groupRequests(requests, keyOf);
    const items = groups.map(({ request: { id, limits }, members }, index) => ({
      index,
      account_id: id,
      units: members.length,
      ...limits,
    }));
    const rows = await this.database.run<GroupRow>(COUNT, [JSON.stringify(items)]);
    const outcomes = new Array<Outcome<RateLimitResult>>(requests.length);
    for (const row of rows) {
      groups[row.request_index]?.members.forEach((place, nth) => {
        outcomes[place] = { result: nthResult(row, nth) };
      });
    }
    return outcomes;
  }

  private async countBatchInAll(
    requests: (readonly Bucket[])[],
  ): Promise<{ result: RateLimitResult[] }[]> {
    const groups = groupRequests(requests, (buckets) => buckets.map(keyOf).join());
    const items = groups.map(({ request, members }, index) => ({
      index,
      units: members.length,
      buckets: request.map(({ id, limits }) => ({ id, ...limits })),
    }));
    const rows = await this.database.run<BucketRow>(COUNT_IN_ALL, [JSON.stringify(items)]);
    const outcomes = requests.map(() => ({ result: [] as RateLimitResult[] }));
    for (const row of rows) {
      groups[row.request_index]?.members.forEach((place, nth) => {
        outcomes[place]?.result.push(nthResult(row, nth));
      });
    }
    return outcomes;
  }
}

/** Groups a batch by buckets and limits. Two requests can see different limits if the plan has just changed. */
function groupRequests<Request>(
  requests: readonly Request[],
  keyOf: (request: Request) => string,
): RequestGroup<Request>[] {
  const groups = new Map<string, RequestGroup<Request>>();
  requests.forEach((request, place) => {
    const key = keyOf(request);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { request, members: [place] });
    else group.members.push(place);
  });
  return [...groups.values()];
}

function keyOf({ id, limits }: Bucket): string {
  return `${id} ${String(limits.minute)} ${String(limits.hour)} ${String(limits.day)}`;
}

/**
 * Returns the result of a group's nth request, from 0. The first requests are admitted, each with the counts at that point.
 */
function nthResult(row: GroupRow, nth: number): RateLimitResult {
  const admittedLater = Math.max(0, row.admitted - nth - 1);
  return {
    admitted: nth < row.admitted,
    now: row.decided_at,
    windows: {
      minute: { used: row.minute_used - admittedLater, resetAt: row.minute_resets_at },
      hour: { used: row.hour_used - admittedLater, resetAt: row.hour_resets_at },
      day: { used: row.day_used - admittedLater, resetAt: row.day_resets_at },
    },
  };
}
