import type { WindowLimits } from '../auth/plan.js';
import { Coalescer, type Outcome } from '../../../platform/database/coalescer.js';
import type { Database, Statement } from '../../../platform/database/database.js';
import type { RateLimitStorage, Take } from './rate-limit-storage.js';

interface TakeRequest {
  accountId: string;
  limits: WindowLimits;
}

/** Requests of one account under the same limits, by their places in the batch. */
interface TakeGroup extends TakeRequest {
  members: number[];
}

/** How many of a group's requests were admitted, and the windows after them; times in UTC epoch milliseconds. */
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
 * Counts in the table `rate_limit_windows` on the database's clock, exact over all replicas and across restarts.
 * Requests of one turn of the event loop are one statement, and those of one account one unit of work in it.
 */
export class PostgreSqlRateLimitStorage implements RateLimitStorage {
  // A second statement of a busy account would only wait for the first one's row lock, holding a connection; two in
  // flight keep PostgreSQL busy while the other's answer is read.
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
    if (!row) throw new Error('A look has one row.');
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

/** Groups requests of one batch by account; requests that saw different limits of it (a plan just changed) stay apart. */
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

/** The take of a group's nth request (from 0): the first ones are admitted, each seeing the counters as it left them. */
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
