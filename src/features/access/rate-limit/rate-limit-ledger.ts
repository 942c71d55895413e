import { WINDOWS, type Window } from '../auth/plan.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import type { Database, Statement } from '../../../platform/database/database.js';

/** Requests of one window: counted, and how long ago it began in milliseconds; `null` where none has begun. */
export interface WindowCount {
  count: number;
  ageMs: number | null;
}

export type WindowCounts = Record<Window, WindowCount>;

/** Requests that Redis counted, and PostgreSQL did not yet. */
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

/** What PostgreSQL knows of windows that are counted in Redis. Settlements of one moment are one statement. */
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
    // One at a time, so that requests go on in the order in which they came.
    { maxBatch: 500, maxInFlight: 1 },
  );

  constructor(private readonly database: Database) {}

  /** Adds what is not settled yet and resolves with all that is counted in the account's running windows. */
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
