import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { WINDOWS, type WindowLimits } from '../../src/features/auth/plan.js';
import { RateLimitStorage, type Bucket } from '../../src/features/rate-limit/rate-limit-storage.js';
import { Database } from '../../src/platform/database/database.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { propertyRuns } from '../support/property-runs.js';
import { ageWindows } from './age-windows.js';

const MINUTE = 60_000;

const bucket = (limits: Partial<WindowLimits>): Bucket => ({
  id: randomUUID(),
  limits: { minute: null, hour: null, day: null, ...limits },
});

describe('a request that counts in several buckets', () => {
  let database: TestDatabase;
  let sources: DataSource[];
  let source: DataSource;
  let replicas: [RateLimitStorage, RateLimitStorage, RateLimitStorage];
  beforeAll(async () => {
    database = await createTestDatabase();
    sources = await Promise.all(
      Array.from({ length: 4 }, () =>
        new DataSource(dataSourceOptions(database.url, 4, SCHEMA)).initialize(),
      ),
    );
    const [first, ...others] = sources as [DataSource, DataSource, DataSource, DataSource];
    source = first;
    replicas = others.map((one) => new RateLimitStorage(new Database(one))) as typeof replicas;
  });
  afterAll(async () => {
    await Promise.all(sources.map((one) => one.destroy()));
    await database.drop();
  });

  const replicaFor = (n: number) => replicas[(n % 3) as 0 | 1 | 2];

  it('is admitted exactly as often as all of them allow, over three replicas with many connections', async () => {
    const account = bucket({ minute: 100 });
    const slow = bucket({ minute: 37 });
    const rare = bucket({ day: 45 });
    const paths = [[account, slow], [account, rare], [account], [account, slow, rare]];
    const admitted = paths.map(() => 0);
    await Promise.all(
      Array.from({ length: 3_200 }, async (_, n) => {
        const results = await replicaFor(n).consumeAll(paths[n % 4] ?? []);
        if (results.every((result) => result.admitted)) {
          admitted[n % 4] = (admitted[n % 4] ?? 0) + 1;
        }
      }),
    );
    const [ofSlow = 0, ofRare = 0, ofNone = 0, ofBoth = 0] = admitted;
    expect(ofSlow + ofRare + ofNone + ofBoth).toBe(100);
    expect(ofSlow + ofBoth).toBeLessThanOrEqual(37);
    expect(ofRare + ofBoth).toBeLessThanOrEqual(45);
    const used = async (one: Bucket, window: 'minute' | 'day') =>
      (await replicas[0].currentUsage(one.id, one.limits)).windows[window].used;
    expect(await used(account, 'minute')).toBe(100);
    expect(await used(slow, 'minute')).toBe(ofSlow + ofBoth);
    expect(await used(rare, 'day')).toBe(ofRare + ofBoth);
  });

  it.each([
    ['one key', [37], 37],
    ['two keys', [37, 45], 82],
    ['keys with more than the account has', [60, 60], 100],
  ])('fills the limits of %s exactly, without any other requests', async (_, limits, total) => {
    const account = bucket({ minute: 100 });
    const keys = limits.map((minute) => bucket({ minute }));
    const counts = await Promise.all(
      Array.from({ length: 400 }, async (__, n) => {
        const key = keys[n % keys.length];
        const [result] = await replicaFor(n).consumeAll([account, ...(key ? [key] : [])]);
        return result?.admitted === true ? 1 : 0;
      }),
    );
    expect(counts.reduce<number>((sum, count) => sum + count, 0)).toBe(total);
  });

  it('counts in all of them or in none, and starts no window if it is refused', async () => {
    const [account, key] = [bucket({ minute: 100 }), bucket({ day: 2 })];
    const take = () => replicas[0].consumeAll([account, key]);
    await take();
    await take();
    await ageWindows(source, MINUTE);
    const [ofAccount, ofKey] = await take();
    expect(ofAccount).toMatchObject({ admitted: false, windows: { minute: { used: 0 } } });
    expect(ofAccount?.windows.minute.resetAt).toBe((ofAccount?.now ?? 0) + MINUTE);
    expect(ofKey).toMatchObject({ admitted: false, windows: { day: { used: 2 } } });
    expect(ofKey?.now).toBe(ofAccount?.now);
    const { windows } = await replicas[1].currentUsage(account.id, account.limits);
    expect(windows.hour.used).toBe(2);
  });

  it('never deadlocks with requests that lock the same buckets in another order', async () => {
    const buckets = Array.from({ length: 12 }, () => bucket({ minute: 1_000_000 }));
    const orders = [buckets, [...buckets].reverse()];
    const takes = Array.from({ length: 40 }, (_, n) => {
      const order = orders[n % 2] ?? [];
      return order.map((one, index) =>
        index % 3 === 0
          ? replicaFor(n).consume(one.id, one.limits)
          : replicaFor(n).consumeAll(order.slice(index - 1, index + 1)),
      );
    });
    const results = (await Promise.all(takes.flat())).flat();
    expect(results.every(({ admitted }) => admitted)).toBe(true);
  });

  it('is counted at the time it runs if it waited for the lock of any bucket', async () => {
    for (const waitsFor of [0, 1, 2]) {
      const buckets = [bucket({ minute: 9 }), bucket({ minute: 9 }), bucket({ minute: 9 })];
      await replicas[0].consumeAll(buckets);
      const other = source.createQueryRunner();
      await other.startTransaction();
      await other.query('SELECT FROM rate_limit_windows WHERE account_id = $1 FOR UPDATE', [
        buckets[waitsFor]?.id,
      ]);
      const waiting = replicas[0].consumeAll(buckets);
      await eventually(async () => {
        const blocked = await source.query<unknown[]>(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return blocked.length > 0;
      });
      const [{ turn }] = await source.query<[{ turn: Date }]>('SELECT clock_timestamp() AS turn');
      await other.commitTransaction();
      await other.release();
      const [result] = await waiting;
      expect(result?.now).toBeGreaterThanOrEqual(turn.getTime());
    }
  });

  it('is admitted like three plain counters per bucket say, for any limits, requests and pauses', async () => {
    const limit = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null });
    const limits = fc.record({ minute: limit, hour: limit, day: limit });
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.subarray([0, 1, 2], { minLength: 1 }) },
      { weight: 1, arbitrary: fc.constantFrom('minute' as const, 'hour' as const) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(limits, limits, limits),
        fc.array(step, { maxLength: 20, size: 'max' }),
        async (allLimits, steps) => {
          const buckets = allLimits.map((one) => ({
            ...bucket(one),
            used: new Map<string, number>(),
          }));
          for (const current of steps) {
            if (typeof current === 'string') {
              // An hour ends every minute too.
              await ageWindows(source, current === 'minute' ? MINUTE : 60 * MINUTE);
              for (const { used } of buckets) {
                used.delete('minute');
                if (current === 'hour') used.delete('hour');
              }
              continue;
            }
            const chosen = current.flatMap((index) => buckets[index] ?? []);
            const hasCapacity = chosen.every(({ limits: own, used }) =>
              WINDOWS.every((window) => (used.get(window) ?? 0) < (own[window] ?? Infinity)),
            );
            const results = await replicas[0].consumeAll(chosen);
            expect(results.map(({ admitted }) => admitted)).toEqual(chosen.map(() => hasCapacity));
            for (const [index, { used }] of chosen.entries()) {
              for (const window of WINDOWS) {
                if (hasCapacity) used.set(window, (used.get(window) ?? 0) + 1);
                expect(results[index]?.windows[window].used).toBe(used.get(window) ?? 0);
              }
            }
          }
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });
});
