import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { WINDOWS, type Window, type WindowLimits } from '../../src/features/auth/plan.js';
import { PLAN_LIMITS } from '../../src/features/rate-limit/plan-limits.js';
import {
  RateLimitStorage,
  type RateLimitResult,
  type WindowUsage,
} from '../../src/features/rate-limit/rate-limit-storage.js';
import { Database } from '../../src/platform/database/database.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { propertyRuns } from '../support/property-runs.js';
import { ageWindows } from './age-windows.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNLIMITED: WindowLimits = { minute: null, hour: null, day: null };
const LENGTHS: Record<Window, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** One account's windows in plain variables: what the storage must do, without concurrency. */
class WindowsModel {
  private windows: Partial<Record<Window, WindowUsage>> = {};

  age(milliseconds: number): void {
    for (const state of Object.values(this.windows)) state.resetAt -= milliseconds;
  }

  consume(limits: WindowLimits, now: number): RateLimitResult {
    const running = {
      minute: this.running('minute', now),
      hour: this.running('hour', now),
      day: this.running('day', now),
    };
    const admitted = WINDOWS.every((window) => running[window].used < (limits[window] ?? Infinity));
    if (admitted) {
      for (const window of WINDOWS) running[window].used += 1;
      this.windows = running;
    }
    return { admitted, now, windows: structuredClone(running) };
  }

  private running(window: Window, now: number): WindowUsage {
    const state = this.windows[window];
    return state && now < state.resetAt
      ? { ...state }
      : { used: 0, resetAt: now + LENGTHS[window] };
  }
}

describe('The storage of rate limits', () => {
  let database: TestDatabase;
  let sources: DataSource[];
  let source: DataSource;
  let replicas: [RateLimitStorage, RateLimitStorage, RateLimitStorage];

  beforeAll(async () => {
    database = await createTestDatabase();
    sources = [];
    source = await connect();
    replicas = [await openReplica(), await openReplica(), await openReplica()];
  });

  afterAll(async () => {
    await Promise.all(sources.map((source) => source.destroy()));
    await database.drop();
  });

  async function connect(): Promise<DataSource> {
    const source = await new DataSource(dataSourceOptions(database.url, 4, SCHEMA)).initialize();
    sources.push(source);
    return source;
  }

  /** Opens a storage with separate connections, as in each replica of the service. */
  const openReplica = async () => new RateLimitStorage(new Database(await connect()));

  /** Makes time pass for everything counted so far, by changing its timestamps. */
  const age = (milliseconds: number) => ageWindows(source, milliseconds);

  const replicaFor = (n: number) => replicas[(n % 3) as 0 | 1 | 2];

  const consume = (account: string, limits: WindowLimits) => replicas[0].consume(account, limits);

  const consumeTimes = (count: number, account: string, limits: WindowLimits) =>
    Promise.all(Array.from({ length: count }, () => consume(account, limits)));

  it('admits exactly 10 of 200 parallel requests of a Free account over three replicas, with Remaining 9 to 0 once each', async () => {
    const account = randomUUID();
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, n) => replicaFor(n).consume(account, PLAN_LIMITS.free)),
    );
    const admitted = results.filter((one) => one.admitted);
    const remaining = admitted.map(({ windows }) => 10 - windows.minute.used);
    expect(remaining.sort((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const refused = results.filter((one) => !one.admitted);
    expect(refused).toHaveLength(190);
    expect(new Set(refused.map(({ windows }) => windows.minute.used))).toEqual(new Set([10]));
  });

  it('shows the counts without counting a request, on every replica', async () => {
    const account = randomUUID();
    const limits = PLAN_LIMITS.pro;
    const before = await replicas[1].currentUsage(account, limits);
    expect(before.windows).toMatchObject({
      minute: { used: 0 },
      hour: { used: 0 },
      day: { used: 0 },
    });
    await consumeTimes(45, account, limits);
    for (const replica of replicas) {
      const { windows } = await replica.currentUsage(account, limits);
      expect(windows).toMatchObject({
        minute: { used: 45 },
        hour: { used: 45 },
        day: { used: 45 },
      });
      expect(windows.minute.resetAt).toBeLessThan(windows.hour.resetAt);
    }
    expect((await consume(account, limits)).windows.minute.used).toBe(46);
  });

  it('neither loses nor double-counts a request while three replicas count one account', async () => {
    const account = randomUUID();
    const limits = { minute: 200, hour: null, day: null };
    const counts: number[] = [];
    const visitor = async (replica: RateLimitStorage) => {
      let one = await replica.consume(account, limits);
      while (one.admitted) {
        counts.push(one.windows.minute.used);
        one = await replica.consume(account, limits);
      }
    };
    await Promise.all([...replicas, ...replicas].map(visitor));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  });

  it('starts all windows at the first request', async () => {
    const first = await consume(randomUUID(), PLAN_LIMITS.free);
    expect(first.windows).toEqual({
      minute: { used: 1, resetAt: first.now + MINUTE },
      hour: { used: 1, resetAt: first.now + HOUR },
      day: { used: 1, resetAt: first.now + DAY },
    });
  });

  it('counts with the storage clock, which is close to ours', async () => {
    const { now } = await consume(randomUUID(), PLAN_LIMITS.free);
    expect(Math.abs(now - Date.now())).toBeLessThan(5 * SECOND);
    expect(Number.isInteger(now)).toBe(true);
  });

  it('uses nothing of any window for a refused request', async () => {
    const account = randomUUID();
    await consumeTimes(40, account, PLAN_LIMITS.free);
    await age(MINUTE);
    const { admitted, windows } = await consume(account, PLAN_LIMITS.free);
    expect(admitted).toBe(true);
    expect([windows.minute.used, windows.hour.used, windows.day.used]).toEqual([1, 11, 11]);
  });

  it('refuses while the hour is full, although the minute has reset, and starts no new minute for that', async () => {
    const account = randomUUID();
    const limits = { minute: 10, hour: 3, day: 100 };
    await consumeTimes(3, account, limits);
    await age(2 * MINUTE);
    const refused = await consume(account, limits);
    expect(refused.admitted).toBe(false);
    expect(refused.windows.minute).toEqual({ used: 0, resetAt: refused.now + MINUTE });
    expect(refused.windows.hour.used).toBe(3);

    await age(30 * SECOND);
    const admitted = await consume(account, { ...limits, hour: 4 });
    expect(admitted.windows.minute).toEqual({ used: 1, resetAt: admitted.now + MINUTE });
  });

  it('resets each window by its own start', async () => {
    const account = randomUUID();
    const first = await consume(account, PLAN_LIMITS.plus);
    await age(HOUR - 30 * SECOND);
    const late = await consume(account, PLAN_LIMITS.plus);
    expect(late.windows.minute).toEqual({ used: 1, resetAt: late.now + MINUTE });
    expect(late.windows.hour).toEqual({
      used: 2,
      resetAt: first.windows.hour.resetAt - HOUR + 30 * SECOND,
    });

    await age(30 * SECOND);
    const next = await consume(account, PLAN_LIMITS.plus);
    expect(next.windows.minute).toEqual({
      used: 2,
      resetAt: late.windows.minute.resetAt - 30 * SECOND,
    });
    expect(next.windows.hour).toEqual({ used: 1, resetAt: next.now + HOUR });
    expect(next.windows.day.used).toBe(3);
  });

  it('admits again as soon as the full window resets', async () => {
    const account = randomUUID();
    await consumeTimes(10, account, PLAN_LIMITS.free);
    const refused = await consume(account, PLAN_LIMITS.free);
    expect(refused.admitted).toBe(false);
    await age(refused.windows.minute.resetAt - refused.now);
    expect((await consume(account, PLAN_LIMITS.free)).admitted).toBe(true);
  });

  it('refuses immediately after the limit was lowered below the count', async () => {
    const account = randomUUID();
    await consumeTimes(15, account, PLAN_LIMITS.plus);
    const refused = await consume(account, PLAN_LIMITS.free);
    expect(refused.admitted).toBe(false);
    expect(refused.windows.minute.used).toBe(15);
  });

  it('admits immediately after the limit was raised', async () => {
    const account = randomUUID();
    await consumeTimes(11, account, PLAN_LIMITS.free);
    const admitted = await consume(account, PLAN_LIMITS.plus);
    expect(admitted.admitted).toBe(true);
    expect(admitted.windows.minute.used).toBe(11);
  });

  it('refuses every request with a limit of 0', async () => {
    const account = randomUUID();
    const results = await consumeTimes(3, account, { ...UNLIMITED, day: 0 });
    expect(results.map(({ admitted }) => admitted)).toEqual([false, false, false]);
    expect((await consume(account, UNLIMITED)).windows.day.used).toBe(1);
  });

  it('never refuses because of an unlimited window, and still counts it in case it gets a limit', async () => {
    const account = randomUUID();
    const results = await consumeTimes(30, account, { minute: null, hour: null, day: 1_000 });
    expect(results.every(({ admitted }) => admitted)).toBe(true);
    const refused = await consume(account, PLAN_LIMITS.free);
    expect(refused.admitted).toBe(false);
    expect(refused.windows.minute.used).toBe(30);
  });

  it('keeps concurrent accounts separate', async () => {
    const accounts = Array.from({ length: 30 }, () => randomUUID());
    // Each replica visits the accounts in a different order. Locks taken in these orders would deadlock here.
    const orders = [accounts, [...accounts].reverse(), [...accounts].sort()];
    const results = await Promise.all(
      Array.from({ length: 4 }).flatMap(() =>
        orders.flatMap((order, replica) =>
          order.map(async (account) => ({
            account,
            ...(await replicaFor(replica).consume(account, PLAN_LIMITS.free)),
          })),
        ),
      ),
    );
    for (const account of accounts) {
      const admitted = results.filter((one) => one.account === account && one.admitted);
      expect(admitted).toHaveLength(10);
    }
  });

  it("applies each request's own limits to requests that arrive together", async () => {
    const account = randomUUID();
    await consumeTimes(10, account, PLAN_LIMITS.free);
    const [before, after] = await Promise.all([
      consume(account, PLAN_LIMITS.free),
      consume(account, PLAN_LIMITS.plus),
    ]);
    expect([before.admitted, after.admitted]).toEqual([false, true]);
  });

  it('starts new windows when its clock goes back to before the current ones', async () => {
    const account = randomUUID();
    await consumeTimes(11, account, PLAN_LIMITS.free);
    await age(-HOUR);
    const { admitted, now, windows } = await consume(account, PLAN_LIMITS.free);
    expect(admitted).toBe(true);
    expect(windows).toEqual({
      minute: { used: 1, resetAt: now + MINUTE },
      hour: { used: 1, resetAt: now + HOUR },
      day: { used: 1, resetAt: now + DAY },
    });
  });

  it('continues counting after a restart of the service', async () => {
    const account = randomUUID();
    await consumeTimes(10, account, PLAN_LIMITS.free);
    const restarted = await openReplica();
    expect((await restarted.consume(account, PLAN_LIMITS.free)).admitted).toBe(false);
  });

  it('handles any sequence of requests, limits and pauses like three plain counters', async () => {
    const limit = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null });
    const burst = fc.record({
      size: fc.integer({ min: 1, max: 4 }),
      limits: fc.record({ minute: limit, hour: limit, day: limit }),
    });
    // Some milliseconds pass on their own, so "just before the end" needs some slack.
    const ends = fc.constantFrom(MINUTE, HOUR, DAY);
    const pause = fc.tuple(ends, fc.constantFrom(0, 1, SECOND, 20 * SECOND));
    const steps = fc.array(
      fc.oneof({ weight: 3, arbitrary: burst }, { weight: 1, arbitrary: pause }),
      { maxLength: 25, size: 'max' },
    );

    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const account = randomUUID();
        const model = new WindowsModel();
        for (const step of sequence) {
          if (Array.isArray(step)) {
            const [end, early] = step;
            await age(end - early);
            model.age(end - early);
          } else {
            const results = await consumeTimes(step.size, account, step.limits);
            for (const one of results) expect(one).toEqual(model.consume(step.limits, one.now));
          }
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('counts a request that waited for another one at the time it runs', async () => {
    const account = randomUUID();
    await consume(account, PLAN_LIMITS.free);
    const other = source.createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT FROM rate_limit_windows WHERE account_id = $1 FOR UPDATE', [account]);
    const waiting = consume(account, PLAN_LIMITS.free);
    await eventually(() => somebodyWaits(source));
    const [{ turn }] = await source.query<[{ turn: Date }]>('SELECT clock_timestamp() AS turn');
    await other.commitTransaction();
    await other.release();

    expect((await waiting).now).toBeGreaterThanOrEqual(turn.getTime());
  });

  it('counts a single window exactly for the guard of Nest', async () => {
    const key = randomUUID();
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        replicaFor(n).increment(key, MINUTE, 10, MINUTE, 'minute'),
      ),
    );
    const admitted = results.filter(({ isBlocked }) => !isBlocked);
    expect(admitted.map(({ totalHits }) => totalHits).sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(results.find(({ isBlocked }) => isBlocked)).toEqual({
      totalHits: 10,
      timeToExpire: 60,
      isBlocked: true,
      timeToBlockExpire: 60,
    });
  });
});

async function somebodyWaits(source: DataSource): Promise<boolean> {
  const waiting = await source.query<unknown[]>(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}
