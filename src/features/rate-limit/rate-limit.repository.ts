import { WINDOWS, type Window, type WindowLimits } from '../auth/plan.js';
import { Coalescer, type Outcome } from '../../platform/database/concurrency/coalescer.js';
import type { Database, Statement } from '../../platform/database/database.js';
import type { RateLimitStorage, Take } from './rate-limit-storage.js';

interface TakeRequest {
  accountId: string;
  limits: WindowLimits;
}

/** Requests of one account under the same limits, by their indexes in the batch. */
interface TakeGroup extends TakeRequest {
  members: number[];
}

/** The number of admitted requests of a group, and the windows afterwards. Times are UTC epoch milliseconds. */
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

const TAKE: Statement = {
  name: 'rate-limit.take',
  text: 'SELECT * FROM take_rate_limit($1::json)',
};

/**
 * Counts in the table `rate_limit_windows` with the database's clock, exactly across replicas and restarts. Requests of
 * one event-loop turn share one statement, and those of one account share one row update.
 */
export class PostgreSqlRateLimitStorage implements RateLimitStorage {
  // More statements for a busy account would only hold connections while waiting for the row lock. Two keep PostgreSQL
  // busy while one result is being read.
  private readonly takes = new Coalescer<TakeRequest, Take>(
    (requests) => this.takeBatch(requests),
    { maxBatch: 500, maxInFlight: 2 },
  );

  constructor(private readonly database: Database) {}

  take(accountId: string, limits: WindowLimits): Promise<Take> {
    return this.takes.submit({ accountId, limits });
  }

  async look(accountId: string, limits: WindowLimits): Promise<Take> {
    const items = [{ index: 0, account_id: accountId, units: 0, ...limits }];
    const [row] = await this.database.run<GroupRow>(TAKE, [JSON.stringify(items)]);
    if (!row) throw new Error('take_rate_limit returned no row.');
    return nthTake(row, 0);
  }

  private async takeBatch(requests: TakeRequest[]): Promise<Outcome<Take>[]> {
    const groups = groupTakes(requests);
    const items = groups.map(({ accountId, limits, members }, index) => ({
      index,
      account_id: accountId,
      units: members.length,
      ...limits,
    }));
    const rows = await this.database.run<GroupRow>(TAKE, [JSON.stringify(items)]);
    const outcomes = new Array<Outcome<Take>>(requests.length);
    for (const row of rows) {
      groups[row.request_index]?.members.forEach((place, nth) => {
        outcomes[place] = { result: nthTake(row, nth) };
      });
    }
    return outcomes;
  }
}

/** Groups a batch by account and limits. Two requests can see different limits if the plan has just changed. */
function groupTakes(requests: readonly TakeRequest[]): TakeGroup[] {
  const groups = new Map<string, TakeGroup>();
  requests.forEach(({ accountId, limits }, place) => {
    const key = `${accountId} ${String(limits.minute)} ${String(limits.hour)} ${String(limits.day)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { accountId, limits, members: [place] });
    else group.members.push(place);
  });
  return [...groups.values()];
}

/**
 * Returns the result of a group's nth request, from 0. The first requests are admitted, each with the counts at that point.
 */
function nthTake(row: GroupRow, nth: number): Take {
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

/** The count of one window and its age in ms; `null` if the window has not begun. */
export interface WindowCount {
  count: number;
  ageMs: number | null;
}

export type WindowCounts = Record<Window, WindowCount>;

/** Requests counted by Redis and not yet by PostgreSQL. */
interface Settlement {
  accountId: string;
  unsettled: WindowCounts;
}

type SettledRow = { request_index: number } & Record<`${Window}_used`, number> &
  Record<`${Window}_age`, number | null>;

const SETTLE: Statement = {
  name: 'rate-limit.settle',
  text: 'SELECT * FROM settle_rate_limit($1::json)',
};

/** PostgreSQL's record of windows that Redis counts. Concurrent settlements share one statement. */
export class RateLimitLedger {
  private readonly settlements = new Coalescer<Settlement, WindowCounts>(
    async (batch) => {
      const items = batch.map(({ accountId, unsettled }, index) => ({
        index,
        account_id: accountId,
        ...Object.fromEntries(
          WINDOWS.flatMap((window) => [
            [`${window}_count`, unsettled[window].count],
            [`${window}_age`, unsettled[window].ageMs],
          ]),
        ),
      }));
      const outcomes: { result: WindowCounts }[] = [];
      for (const row of await this.database.run<SettledRow>(SETTLE, [JSON.stringify(items)])) {
        outcomes[row.request_index] = { result: countsOf(row) };
      }
      return outcomes;
    },
    // One at a time, so that requests continue in order of arrival.
    { maxBatch: 500, maxInFlight: 1 },
  );

  constructor(private readonly database: Database) {}

  /** Adds the unsettled requests and returns all counts of the account's running windows. */
  settle(accountId: string, unsettled: WindowCounts): Promise<WindowCounts> {
    return this.settlements.submit({ accountId, unsettled });
  }
}

function countsOf(row: SettledRow): WindowCounts {
  return {
    minute: { count: row.minute_used, ageMs: row.minute_age },
    hour: { count: row.hour_used, ageMs: row.hour_age },
    day: { count: row.day_used, ageMs: row.day_age },
  };
}
