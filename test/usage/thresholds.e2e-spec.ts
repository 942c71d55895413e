import { PLAN_QUOTAS } from '../../src/features/usage/quotas/plan-quotas.js';
import { KeysApi } from '../keys/keys-api.js';
import { ageWindows } from '../rate-limit/age-windows.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { fillDocuments, fillStorage } from '../support/fill.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const DAY = 86_400_000;

let database: TestDatabase;
let replicas: [TestApp, TestApp, TestApp];
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url };
  replicas = [
    await startTestApp(options),
    await startTestApp(options),
    await startTestApp(options),
  ];
  [app] = replicas;
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await database.drop();
});

interface Reached {
  limit: string;
  window: string | null;
  threshold: number;
  used: number;
  of: number;
  key: { id: string; name: string } | null;
  resetAt: string | null;
}

/** Returns the data of the account's events about thresholds, oldest first. */
async function reachedBy({ accountId }: { accountId: string }): Promise<Reached[]> {
  const rows = await app.dataSource.query<{ body: string }[]>(
    `SELECT full_body AS body FROM events
      WHERE account_id = $1 AND type = 'usage.threshold_reached' ORDER BY position`,
    [accountId],
  );
  return rows.map(({ body }) => (JSON.parse(body) as { data: Reached }).data);
}

/** Sends requests to all replicas at once. */
async function request(key: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      replicas[(n % 3) as 0 | 1 | 2].api(key).listDocuments(),
    ),
  );
}

async function enterprise(limits: { hour?: number; day?: number }) {
  const account = await app.account({ plan: 'enterprise' });
  await app.dataSource.query('UPDATE accounts SET hour_limit = $2, day_limit = $3 WHERE id = $1', [
    account.accountId,
    limits.hour ?? null,
    limits.day ?? null,
  ]);
  return account;
}

const sorted = (reached: Reached[]) =>
  reached.map(({ window, threshold }) => `${String(window)} ${String(threshold)}`).sort();

describe('usage.threshold_reached for requests', () => {
  it('is emitted once per threshold and window over three replicas, however many requests follow', async () => {
    const account = await enterprise({ hour: 40, day: 50 });
    await request(account.key, 31);
    await request(account.key, 90);
    await eventually(async () => (await reachedBy(account)).length >= 3);
    await request(account.key, 30);
    const reached = await reachedBy(account);
    expect(sorted(reached)).toEqual(['day 80', 'hour 100', 'hour 80']);
    for (const { limit, window, used, of, key, threshold, resetAt } of reached) {
      expect({ limit, of, key }).toEqual({
        limit: 'requests',
        of: window === 'hour' ? 40 : 50,
        key: null,
      });
      expect(used * 100).toBeGreaterThanOrEqual(threshold * of);
      expect(used).toBeLessThanOrEqual(of);
      const left = Date.parse(String(resetAt)) - Date.now();
      expect(left).toBeLessThanOrEqual(window === 'hour' ? DAY / 24 : DAY);
    }
  });

  it('is emitted again in the next window', async () => {
    const account = await enterprise({ hour: 5 });
    await request(account.key, 9);
    await eventually(async () => (await reachedBy(account)).length === 2);
    await ageWindows(app.dataSource, DAY / 24);
    await request(account.key, 9);
    await eventually(async () => (await reachedBy(account)).length === 4);
    const reached = await reachedBy(account);
    expect(new Set(reached.map(({ resetAt }) => resetAt)).size).toBe(2);
  });

  it('names the key whose own limit it is', async () => {
    const account = await app.account();
    const { id, key } = await new KeysApi(account.api).made({
      name: 'Importer',
      limits: { minute: 100, day: 5 },
    });
    await request(key, 4);
    await eventually(async () => (await reachedBy(account)).length === 1);
    await request(key, 4);
    await eventually(async () => (await reachedBy(account)).length === 2);
    expect(await reachedBy(account)).toMatchObject([
      { threshold: 80, used: 4, of: 5, window: 'day', key: { id, name: 'Importer' } },
      { threshold: 100, used: 5, of: 5, window: 'day', key: { id, name: 'Importer' } },
    ]);
  });

  it('is emitted for a limit that was lowered below the use', async () => {
    const account = await enterprise({ day: 100 });
    await request(account.key, 60);
    expect(await reachedBy(account)).toEqual([]);
    await app.dataSource.query('UPDATE accounts SET day_limit = 50 WHERE id = $1', [
      account.accountId,
    ]);
    expectFailure(await account.api.listDocuments(), 429, 'RATE_LIMIT_EXCEEDED');
    await eventually(async () => (await reachedBy(account)).length === 2);
  });

  it('is an event like all others: listed, readable, without an actor or a request', async () => {
    const account = await app.account();
    const { key } = await new KeysApi(account.api).made({ limits: { hour: 1 } });
    await app.api(key).listDocuments();
    await eventually(async () => (await reachedBy(account)).length === 2);
    const listed = expectSuccess(await account.api.list('/v1/events', { type: 'usage.*' }));
    expect(listed).toMatchObject([
      { type: 'usage.threshold_reached', actor: null, requestId: null },
      { type: 'usage.threshold_reached', actor: null, requestId: null },
    ]);
  });
});

describe('usage.threshold_reached for quotas', () => {
  const webhook = (api: ApiClient) =>
    api.registerWebhook({ url: 'https://example.com/hook', events: ['webhook.test'] });

  it('is emitted with the rows that reach it, once a day', async () => {
    const account = await app.account({ plan: 'free' });
    const ids: string[] = [];
    const create = async () => {
      const made = expectSuccess(await webhook(account.api), 201);
      ids.push((made as { id: string }).id);
    };
    for (let n = 0; n < 3; n += 1) await create();
    expect(await reachedBy(account)).toEqual([]);
    await create();
    await create();
    expectFailure(await webhook(account.api), 403, 'FORBIDDEN');
    await app.dataSource.query('DELETE FROM rate_limit_windows');
    await account.api.send('DELETE', `/v1/webhooks/${ids[0] ?? ''}`);
    await create();
    const quota = { limit: 'webhooks', window: null, of: 5, key: null, resetAt: null };
    expect(await reachedBy(account)).toEqual([
      { ...quota, threshold: 80, used: 4 },
      { ...quota, threshold: 100, used: 5 },
    ]);
    for (const replica of replicas) replica.clock.advance(DAY);
    await account.api.send('DELETE', `/v1/webhooks/${ids[1] ?? ''}`);
    await create();
    expect(await reachedBy(account)).toHaveLength(3);
  });

  it('is emitted once for documents that several replicas create at once, and not for refused ones', async () => {
    const account = await app.account({ plan: 'free' });
    const limit = PLAN_QUOTAS.free.documents ?? 0;
    await fillDocuments(app.dataSource, account, limit - 2);
    expect(await reachedBy(account)).toEqual([]);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        replicas[(n % 3) as 0 | 1 | 2].api(account.key).createDocument({ title: 'x' }),
      ),
    );
    expect(await reachedBy(account)).toMatchObject([
      { limit: 'documents', threshold: 100, used: limit, of: limit },
    ]);
  });

  it('is emitted for storage that a change uses', async () => {
    const account = await app.account({ plan: 'free' });
    const limit = PLAN_QUOTAS.free.storageBytes ?? 0;
    await fillStorage(app.dataSource, account, Math.floor(limit * 0.8) - 100);
    const created = await account.api.createDocument({ title: 'x' });
    const { id } = expectSuccess(created, 201) as { id: string };
    expect(await reachedBy(account)).toEqual([]);
    expectSuccess(await account.api.patchDocument(id, { content: 'a'.repeat(200) }));
    expect(await reachedBy(account)).toMatchObject([{ limit: 'storageBytes', threshold: 80 }]);
  });

  it('is emitted once a day for daily quotas', async () => {
    const account = await app.account({ plan: 'free' });
    await app.dataSource.query(
      'INSERT INTO analysis_usage (account_id, day, analyses) VALUES ($1, $2::timestamptz, 159)',
      [account.accountId, app.clock.now()],
    );
    const analyze = async () => {
      const response = await account.api.send('POST', '/v1/analyze', { body: { content: 'teh' } });
      expect(response.status).toBeLessThan(300);
    };
    await analyze();
    await analyze();
    const midnight = new Date((Math.floor(app.clock.now().getTime() / DAY) + 1) * DAY);
    expect(await reachedBy(account)).toEqual([
      {
        ...{ limit: 'analysesPerDay', window: 'day', threshold: 80, used: 160, of: 200 },
        ...{ key: null, resetAt: midnight.toISOString() },
      },
    ]);
  });
});
