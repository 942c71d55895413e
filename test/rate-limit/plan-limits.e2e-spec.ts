import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { ageWindows } from './age-windows.js';

const MINUTE = 60_000;

interface Refusal {
  message: string;
  details: { window: string; limit: number; resetAt: string; retryAfter: number };
}

const refusalIn = ({ body }: ApiResponse): Refusal => (body as { error: Refusal }).error;

describe('Limits of a plan over HTTP', () => {
  let database: TestDatabase;
  let replicas: [TestApp, TestApp, TestApp];

  beforeAll(async () => {
    database = await createTestDatabase();
    const options = { databaseUrl: database.url };
    replicas = [
      await startTestApp(options),
      await startTestApp(options),
      await startTestApp(options),
    ];
  });

  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await database.drop();
  });

  const age = (milliseconds: number) => ageWindows(replicas[0].dataSource, milliseconds);

  async function enterpriseAccount(minute: number | null, hour: number | null, day: number | null) {
    const account = await replicas[0].account({ plan: 'enterprise' });
    await replicas[0].dataSource.query(
      'UPDATE accounts SET minute_limit = $2, hour_limit = $3, day_limit = $4 WHERE id = $1',
      [account.accountId, minute, hour, day],
    );
    return account;
  }

  const remaining = ({ headers }: ApiResponse) => Number(headers['x-ratelimit-remaining']);

  it('admits exactly 10 of 200 parallel requests of a Free account over three replicas, with Remaining 9 to 0 once each', async () => {
    const { key } = await replicas[0].account({ plan: 'free' });
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        replicas[(n % 3) as 0 | 1 | 2].api(key).listDocuments(),
      ),
    );
    const passed = responses.filter(({ status }) => status === 200);
    expect(passed.map(remaining).sort((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(190);
  });

  it('shows limit, remaining requests and reset in every response to a caller', async () => {
    const { api } = await replicas[0].account({ plan: 'free' });
    const before = Math.floor(Date.now() / 1000);
    const { headers } = await api.listDocuments();
    expect(headers['x-ratelimit-limit']).toBe('10');
    expect(headers['x-ratelimit-remaining']).toBe('9');
    const reset = Number(headers['x-ratelimit-reset']);
    expect(reset - before).toBeGreaterThanOrEqual(60);
    expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 61);
    expect(headers['ratelimit-policy']).toBe(
      '"minute";q=10;w=60, "hour";q=100;w=3600, "day";q=1000;w=86400',
    );
    expect(headers['ratelimit']).toBe('"minute";r=9;t=60, "hour";r=99;t=3600, "day";r=999;t=86400');
  });

  it('refuses with 429, says when to try again, and admits the request then', async () => {
    const { api } = await replicas[0].account({ plan: 'free' });
    await Promise.all(Array.from({ length: 10 }, () => api.listDocuments()));
    const refused = await api.listDocuments();
    expect(refused.status).toBe(429);
    expect(remaining(refused)).toBe(0);
    expect(refused.body).toMatchObject({
      success: false,
      error: { code: 'RATE_LIMIT_EXCEEDED', details: { window: 'minute', limit: 10 } },
    });
    const { retryAfter, resetAt } = refusalIn(refused).details;
    expect(refused.headers['retry-after']).toBe(String(retryAfter));
    expect(refused.headers['x-ratelimit-reset']).toBe(
      String(Math.ceil(Date.parse(resetAt) / 1000)),
    );

    await age(retryAfter * 1000);
    expect((await api.listDocuments()).status).toBe(200);
  });

  it('names the full window that resets last, here the hour', async () => {
    const { api } = await enterpriseAccount(2, 2, 100);
    await api.listDocuments();
    await api.listDocuments();
    const refused = await api.listDocuments();
    expect(refusalIn(refused).details).toMatchObject({ window: 'hour', limit: 2 });
    await age(2 * MINUTE);
    expect((await api.listDocuments()).status).toBe(429);
  });

  it('counts all keys of an account together, separately from other accounts', async () => {
    const account = await replicas[0].account({ plan: 'free' });
    const other = await replicas[0].anotherKey(account);
    await account.api.listDocuments();
    expect(remaining(await replicas[0].api(other.key).listDocuments())).toBe(8);
    const stranger = await replicas[0].account({ plan: 'free' });
    expect(remaining(await stranger.api.listDocuments())).toBe(9);
  });

  it('counts a request whatever its response', async () => {
    const { api } = await replicas[0].account({ plan: 'free', scopes: ['documents:write'] });
    const responses = [
      await api.createDocument({ title: 'Minutes' }),
      await api.createDocument({ title: 7 }),
      await api.send('POST', '/v1/documents', { rawBody: '{"title":' }),
      await api.listDocuments(),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 400, 400, 403]);
    expect(responses.map(remaining)).toEqual([9, 8, 7, 6]);
  });

  it('counts nothing and shows nothing without a valid key', async () => {
    for (const key of [undefined, 'not-a-key']) {
      const response = await replicas[0].api(key).readDocument(randomUUID());
      expect(response.status).toBe(401);
      expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
    }
  });

  it("uses the account's limits on Enterprise and omits unlimited windows", async () => {
    const { api } = await enterpriseAccount(null, 3, null);
    const { headers } = await api.listDocuments();
    expect(headers['x-ratelimit-limit']).toBe('3');
    expect(headers['x-ratelimit-remaining']).toBe('2');
    expect(headers['ratelimit-policy']).toBe('"hour";q=3;w=3600');
  });

  it('shows the documented maximum to an unlimited account', async () => {
    const { api } = await replicas[0].account({ plan: 'enterprise' });
    const { headers } = await api.listDocuments();
    expect(headers['x-ratelimit-limit']).toBe('2147483647');
    expect(headers['x-ratelimit-remaining']).toBe('2147483647');
    expect(headers).not.toHaveProperty('ratelimit');
  });

  it('refuses every request of an account whose limit is 0', async () => {
    const { api } = await enterpriseAccount(0, null, null);
    const refused = await api.listDocuments();
    expect(refused.status).toBe(429);
    expect(refusalIn(refused).message).toMatch(/its limit per minute is 0/);
  });
});
