import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { Database } from '../../src/platform/database/database.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { UsageSeriesDto } from '../../src/features/usage/series/dto/usage-series.dto.js';
import { UsageTotals } from '../../src/features/usage/totals/usage-totals.js';
import { FakeSessionsModule, signIn } from '../auth/fake-sessions.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { propertyRuns } from '../support/property-runs.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let database: TestDatabase;
let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const modules = [FakeSessionsModule];
  app = await startTestApp({ databaseUrl: database.url, modules });
  replica = await startTestApp({ databaseUrl: database.url, modules });
});
afterAll(async () => {
  await app.close();
  await replica.close();
  await database.drop();
});

const read = (api: ApiClient, query: Record<string, string>) => api.list('/v1/usage/series', query);

async function seriesOf(api: ApiClient, query: Record<string, string>): Promise<UsageSeriesDto> {
  for (const one of [app, replica]) await one.app.get(UsageTotals).write();
  return expectSuccess(await read(api, query)) as UsageSeriesDto;
}

const sum = ({ points }: UsageSeriesDto) => points.reduce((all, { count }) => all + count, 0);

/**
 * Returns the series once it has counted this many. The client gets the response a moment before the service has finished
 * the request.
 */
const counted = (api: ApiClient, query: Record<string, string>, atLeast: number) =>
  eventually(
    () => seriesOf(api, query),
    (series) => sum(series) >= atLeast,
  );

/** Counts usage of an account, as the service does. */
function count(
  accountId: string,
  at: Date,
  { outcome = '2xx', durationMs = 3, route = 'GET /v1/documents', times = 1 } = {},
): void {
  for (let n = 0; n < times; n += 1) {
    app.app.get(UsageTotals).count({
      accountId,
      metric: 'requests',
      at,
      route,
      sourceId: accountId,
      outcome,
      durationMs,
    });
  }
}

describe('usage over time', () => {
  it('usage over time is written about once a second, however many requests end', async () => {
    const { accountId } = await app.account();
    const batches = async () => {
      const rows = await app.dataSource.query<{ batch: string }[]>(
        'SELECT sum(batch) AS batch FROM usage_writers',
      );
      return Number(rows[0]?.batch ?? 0);
    };
    const before = await batches();
    const began = performance.now();
    while (performance.now() - began < 2_500) {
      count(accountId, new Date());
      await nextTurn();
    }
    const written = (await eventually(batches, (now) => now > before)) - before;
    // Two processes, each at most once per started second.
    expect(written).toBeLessThanOrEqual(2 * (Math.ceil((performance.now() - began) / 1_000) + 1));
  });

  it('usage over time counts every request of both replicas once, by status, route and key', async () => {
    const account = await app.account();
    const second = await app.anotherKey(account);
    const [one, two] = [account.api, replica.api(second.key)];
    await Promise.all([
      ...Array.from({ length: 20 }, () => one.listDocuments()),
      ...Array.from({ length: 30 }, () => two.listDocuments()),
      ...Array.from({ length: 5 }, () => two.readDocument('doc_x')),
    ]);
    const query = { metric: 'requests', step: 'minute', by: 'route' };
    const countsOf = ({ points }: UsageSeriesDto) => {
      const groups = points.at(-1)?.groups;
      return ['GET /v1/documents', 'GET /v1/documents/{id}'].map((route) => groups?.[route]?.count);
    };
    const routes = await eventually(
      () => seriesOf(one, query),
      (series) => countsOf(series).reduce<number>((all, count) => all + (count ?? 0), 0) >= 55,
    );
    expect(countsOf(routes)).toEqual([50, 5]);
    const statuses = await seriesOf(one, { ...query, by: 'status' });
    expect(statuses.groups).toEqual(['2xx', '4xx']);
    expect(statuses.points.at(-1)?.groups?.['4xx']?.count).toBe(5);
    const keys = await seriesOf(one, { ...query, by: 'key' });
    expect(keys.points.at(-1)?.groups?.[encodeId('key', second.keyId)]?.count).toBe(35);
    const ofKey = await seriesOf(one, { ...query, keyId: encodeId('key', second.keyId) });
    expect(sum(ofKey)).toBe(35);
  });

  it('usage over time counts no requests of other accounts or of signed-in people', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    await other.api.listDocuments();
    const person = await signIn(app, mine, 'owner');
    for (let n = 0; n < 3; n += 1) await person.send('GET', '/v1/documents');
    await counted(other.api, { metric: 'requests', step: 'hour' }, 1);
    const series = expectSuccess(
      await person.send('GET', '/v1/usage/series?metric=requests&step=hour'),
    ) as UsageSeriesDto;
    expect(sum(series)).toBe(0);
  });

  it('usage over time has a point for each step in UTC without gaps, 0 if nothing happened', async () => {
    const { api, accountId } = await app.account();
    const start = Date.parse('2026-02-27T22:00:00Z');
    count(accountId, new Date(start), { times: 2 });
    count(accountId, new Date(start + 59 * MINUTE_MS + 59_999));
    count(accountId, new Date(start + 3 * HOUR_MS), { times: 4 });
    const hours = await seriesOf(api, {
      metric: 'requests',
      step: 'hour',
      from: '2026-02-27T22:30:00Z',
      to: '2026-02-28T03:00:00+01:00',
    });
    expect(hours).toMatchObject({ timeZone: 'UTC', by: null, groups: [] });
    expect(hours.points).toEqual([
      { at: '2026-02-27T22:00:00.000Z', count: 3 },
      { at: '2026-02-27T23:00:00.000Z', count: 0 },
      { at: '2026-02-28T00:00:00.000Z', count: 0 },
      { at: '2026-02-28T01:00:00.000Z', count: 4 },
    ]);
    expect(hours.to).toBe('2026-02-28T02:00:00.000Z');
    const days = await seriesOf(api, {
      metric: 'requests',
      step: 'day',
      from: '2026-02-27',
      to: '2026-03-01',
    });
    expect(days.points.map((point) => point.count)).toEqual([3, 4]);
    const minutes = await seriesOf(api, {
      metric: 'requests',
      step: 'minute',
      from: '2026-02-27T22:58:30Z',
      to: '2026-02-27T23:00:00Z',
    });
    expect(minutes.points.map((point) => point.count)).toEqual([0, 1]);
  });

  it('usage over time shows the median and 95th percentile of latency, and nothing if there was no request', async () => {
    const { api, accountId } = await app.account();
    const at = new Date('2026-02-28T10:00:00Z');
    count(accountId, at, { durationMs: 3, times: 90 });
    count(accountId, at, { durationMs: 150, times: 10, outcome: '5xx' });
    const query = { metric: 'latency', step: 'hour', by: 'status' };
    const series = await seriesOf(api, {
      ...query,
      from: '2026-02-28T10:00Z',
      to: '2026-02-28T12:00Z',
    });
    expect(series.points).toEqual([
      {
        at: '2026-02-28T10:00:00.000Z',
        count: 100,
        p50: 3.67,
        p95: 150,
        groups: {
          '2xx': { count: 90, p50: 3.5, p95: 4.85 },
          '5xx': { count: 10, p50: 150, p95: 195 },
        },
      },
      {
        at: '2026-02-28T11:00:00.000Z',
        count: 0,
        p50: null,
        p95: null,
        groups: {
          '2xx': { count: 0, p50: null, p95: null },
          '5xx': { count: 0, p50: null, p95: null },
        },
      },
    ]);
  });

  it('usage over time names the 20 largest groups and combines the rest', async () => {
    const { api, accountId } = await app.account();
    const at = new Date('2026-02-28T10:00:00Z');
    for (let n = 0; n < 25; n += 1) {
      count(accountId, at, { route: `GET /${String(n)}`, times: 30 - n });
    }
    const series = await seriesOf(api, {
      metric: 'requests',
      step: 'hour',
      by: 'route',
      from: '2026-02-28T10:00Z',
      to: '2026-02-28T11:00Z',
    });
    expect(series.groups).toHaveLength(21);
    expect(series.points[0]?.groups?.['other']).toEqual({ count: 10 + 9 + 8 + 7 + 6 });
    expect(sum(series)).toBe((30 * 31) / 2 - 15);
  });

  it('usage over time has as many points as requested, in order, that add up to the counts, for any range', async () => {
    const { api, accountId } = await app.account();
    const base = Date.parse('2026-02-28T00:00:00Z');
    const times = Array.from({ length: 50 }, (_, n) => base + n * 37 * MINUTE_MS);
    for (const time of times) count(accountId, new Date(time));
    const minute = fc.integer({ min: 0, max: 31 * 60 });
    const steps = { minute: MINUTE_MS, hour: HOUR_MS, day: 24 * HOUR_MS };
    await fc.assert(
      fc.asyncProperty(
        minute,
        fc.integer({ min: 1, max: 900 }),
        fc.constantFrom('minute' as const, 'hour' as const, 'day' as const),
        async (offset, length, step) => {
          const from = base + offset * MINUTE_MS;
          const to = from + length * MINUTE_MS;
          const { points, ...series } = await seriesOf(api, {
            metric: 'requests',
            step,
            // Excludes the requests of this test.
            keyId: encodeId('key', accountId),
            from: new Date(from).toISOString(),
            to: new Date(to).toISOString(),
          });
          const [first, last] = [Date.parse(series.from), Date.parse(series.to)];
          expect(first).toBe(from - (from % steps[step]));
          expect(last - to).toBeGreaterThanOrEqual(0);
          expect(last - to).toBeLessThan(steps[step]);
          expect(points.map(({ at }) => Date.parse(at))).toEqual(
            Array.from({ length: (last - first) / steps[step] }, (_, n) => first + n * steps[step]),
          );
          const within = times.filter((time) => time >= first && time < last).length;
          expect(points.reduce((all, one) => all + one.count, 0)).toBe(within);
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  it.each([
    ['step=hour', 'metric'],
    ['metric=requests', 'step'],
    ['metric=bytes&step=hour', 'metric'],
    ['metric=requests&step=week', 'step'],
    ['metric=requests&step=hour&by=outcome', 'by'],
    ['metric=deliveries&step=hour&by=status', 'by'],
    ['metric=requests&step=hour&webhookId=wh_01h455vb4pex5vsknk084sn02q', 'webhookId'],
    ['metric=deliveries&step=hour&keyId=key_01h455vb4pex5vsknk084sn02q', 'keyId'],
    ['metric=requests&step=hour&from=soon', 'from'],
    ['metric=requests&step=hour&from=2026-03-01T11:00Z&to=2026-03-01T10:00Z', 'from'],
    ['metric=requests&step=minute&from=2026-02-28T12:00Z', 'from'],
    ['metric=requests&step=minute&from=2026-02-26T12:00Z&to=2026-02-26T13:00Z', 'from'],
    ['metric=requests&step=hour&from=2025-12-01', 'from'],
    ['metric=requests&step=day&from=2025-01-01', 'from'],
    ['metric=requests&step=hour&sourceId=1', 'sourceId'],
  ])('usage over time refuses ?%s with a problem for %s', async (query, field) => {
    const { api } = await app.account();
    const response = await api.send('GET', `/v1/usage/series?${query}`);
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe(field);
  });
});

describe('the usage totals', () => {
  it("the usage totals are added once when the database's response is lost, and are not lost while it is unavailable", async () => {
    const { api, accountId } = await app.account();
    const lost = { times: 0, before: false };
    const real = app.app.get(Database);
    const run = jest.spyOn(real, 'run').mockImplementation(async (statement, values) => {
      const isOurs = statement.name === 'usage.add-totals' && lost.times > 0;
      if (isOurs) lost.times -= 1;
      const terminated = Object.assign(new Error('Connection terminated'), { code: '57P01' });
      if (isOurs && lost.before) throw terminated;
      const rows = await Database.prototype.run.call(real, statement, values);
      if (isOurs) throw terminated;
      return rows;
    });
    try {
      const at = new Date('2026-02-28T10:00:00Z');
      const range = { from: '2026-02-28T10:00Z', to: '2026-02-28T11:00Z' };
      await app.app.get(UsageTotals).write();
      for (const before of [true, false]) {
        Object.assign(lost, { times: 1, before });
        count(accountId, at, { times: 7 });
        await expect(app.app.get(UsageTotals).write()).rejects.toThrow('Connection terminated');
        count(accountId, at, { times: 2 });
      }
      for (const step of ['minute', 'hour']) {
        expect(sum(await seriesOf(api, { metric: 'requests', step, ...range }))).toBe(18);
      }
    } finally {
      run.mockRestore();
    }
  });

  it('the usage totals are exact when replicas add to the same ones at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => app.account()));
    const at = new Date('2026-02-28T10:00:00Z');
    for (let round = 0; round < 10; round += 1) {
      for (const one of [app, replica]) {
        for (const { accountId } of round % 2 ? accounts : accounts.toReversed()) {
          one.app.get(UsageTotals).count({
            accountId,
            metric: 'requests',
            at,
            route: 'GET /v1/documents',
            sourceId: accountId,
            outcome: '2xx',
            durationMs: 1,
          });
        }
      }
      await Promise.all([app, replica].map((one) => one.app.get(UsageTotals).write()));
    }
    for (const { api } of accounts) {
      const query = {
        metric: 'latency',
        step: 'hour',
        from: '2026-02-28T10:00Z',
        to: '2026-02-28T11:00Z',
      };
      expect(sum(await seriesOf(api, query))).toBe(20);
    }
  });

  it('the usage totals are stored for 48 hours by minute and 400 days by hour', async () => {
    const worker = await startTestApp({
      databaseUrl: database.url,
      modules: [BackgroundTasksModule],
      stopClock: false,
    });
    const { accountId } = await worker.account();
    const ages = [47 * HOUR_MS, 50 * HOUR_MS, 399 * 24 * HOUR_MS, 402 * 24 * HOUR_MS];
    for (const age of ages) count(accountId, new Date(Date.now() - age));
    await app.app.get(UsageTotals).write();
    await worker.app.get(BackgroundTasks).runAll();
    const [row] = await worker.dataSource.query<{ minutes: number; hours: number }[]>(
      `SELECT (SELECT count(*)::int FROM usage_minutes WHERE account_id = $1) AS minutes,
              (SELECT count(*)::int FROM usage_hours WHERE account_id = $1) AS hours`,
      [accountId],
    );
    expect(row).toEqual({ minutes: 1, hours: 3 });
    await worker.close();
  });
});
