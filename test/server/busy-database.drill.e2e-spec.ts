import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { QueryRunner } from 'typeorm';
import { request } from 'undici';
import { Database } from '../../src/platform/database/database.js';
import { asUnavailable } from '../../src/platform/basics/errors/database-error.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { drillCases } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';

const POOL_SIZE = 4;
/** Half of the connections are for transactions, and half of those for one account. */
const AT_ONCE = POOL_SIZE / 4;
const LEAVING = 20;

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let app: TestApp;
let api: ApiClient;
let key: string;
let other: QueryRunner;
beforeAll(async () => {
  database = await openTestDatabase();
  app = await startTestApp({
    databaseUrl: database.url,
    environment: { DATABASE_POOL_SIZE: String(POOL_SIZE) },
  });
  ({ api, key } = await app.account());
});
beforeEach(async () => {
  other = database.dataSource.createQueryRunner();
  await other.startTransaction();
});
afterEach(async () => {
  if (other.isTransactionActive) await other.rollbackTransaction();
  await other.release();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** Locks a table exclusively, so nobody else can read or write it. */
const lock = (table: string) => other.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);

const createOnce = () => api.createDocument({ title: 'once' }, { 'Idempotency-Key': randomUUID() });

/** Returns the number of statements that wait for the lock. */
async function held(): Promise<number> {
  const [row] = await database.dataSource.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
}

const waiting = () => app.app.get(Database).waitingTransactions;

const documents = async () => (await api.listDocuments()).body.meta.pagination.total as number;

describe('A change that waits for others', () => {
  it('A change that waits for others gets 503 with Retry-After within seconds, and is then never applied', async () => {
    const before = await documents();
    await lock('idempotency_keys');
    const started = performance.now();
    const responses = await Promise.all(Array.from({ length: 10 }, createOnce));
    expect(performance.now() - started).toBeLessThan(15_000);
    for (const response of responses) {
      expectFailure(response, 503, 'INTERNAL_ERROR');
      expect(response.headers['retry-after']).toMatch(/^[12]$/);
    }
    const messages = new Set(responses.map(({ body }) => body.error.message as string));
    expect([...messages].sort()).toEqual([
      expect.stringMatching(/^Other requests have locked data that this one needs/),
      expect.stringMatching(/^The service has more requests than its database can handle/),
    ]);
    await other.rollbackTransaction();
    expectSuccess(await createOnce(), 201);
    expect(await documents()).toBe(before + 1);
  }, 60_000);

  it('A change that waits for others is dropped immediately when its client disconnects, and makes way for others', async () => {
    const before = await documents();
    await lock('idempotency_keys');
    const running = Array.from({ length: AT_ONCE }, createOnce);
    await eventually(held, (count) => count === AT_ONCE);
    const leaving = new AbortController();
    setMaxListeners(LEAVING, leaving.signal);
    const left = Array.from({ length: LEAVING }, () =>
      request(`${app.origin}/v1/documents`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: '{"title":"nobody waits for it"}',
        signal: leaving.signal,
      }).catch((error: unknown) => (error as Error).name),
    );
    const staying = createOnce();
    await eventually(waiting, (count) => count === LEAVING + 1);
    leaving.abort();
    expect(new Set(await Promise.all(left))).toEqual(new Set(['AbortError']));
    await eventually(waiting, (count) => count === 1);
    await other.rollbackTransaction();
    for (const response of await Promise.all([...running, staying])) expectSuccess(response, 201);
    expect(await documents()).toBe(before + AT_ONCE + 1);
  }, 60_000);
});

describe('Readiness', () => {
  const readiness = () => api.send('GET', '/health/ready');

  it.each(drillCases(['documents', 'api_keys'], (table) => table === 'documents'))(
    'Readiness fails within seconds while %s is locked, and liveness does not',
    async (table) => {
      await lock(table);
      const started = performance.now();
      const response = await readiness();
      expect(performance.now() - started).toBeLessThan(8_000);
      expectFailure(response, 503, 'INTERNAL_ERROR');
      expect(response.body.error.details).toEqual({ check: 'database' });
      expect(response.body.error.message).toMatch(/could not be read within 2 seconds/);
      expect((await api.send('GET', '/health/live')).status).toBe(200);
      await other.rollbackTransaction();
      expect((await readiness()).status).toBe(200);
    },
    60_000,
  );

  it('Readiness fails while no connection is free', async () => {
    const holders = Array.from({ length: POOL_SIZE }, () => app.dataSource.createQueryRunner());
    await Promise.all(holders.map((holder) => holder.connect()));
    expectFailure(await readiness(), 503, 'INTERNAL_ERROR');
    await Promise.all(holders.map((holder) => holder.release()));
    expect((await readiness()).status).toBe(200);
  }, 60_000);
});

describe('A list, a search or a count', () => {
  /** Returns the milliseconds until the request is refused, and the message. */
  async function refusal(read: () => Promise<ApiResponse>): Promise<[number, string]> {
    const started = performance.now();
    const response = await read();
    expectFailure(response, 503, 'INTERNAL_ERROR');
    expect(response.headers['retry-after']).toMatch(/^[12]$/);
    return [performance.now() - started, response.body.error.message as string];
  }

  it('A list, a search or a count that is blocked by others says so after two seconds, while other requests get responses', async () => {
    await lock('documents');
    const reads = Array.from({ length: 3 }, (_, index) =>
      refusal(() => api.listDocuments({ page: index + 1 })),
    );
    await eventually(held);
    expectSuccess(await api.send('GET', '/v1/usage'));
    for (const [milliseconds, message] of await Promise.all(reads)) {
      expect(milliseconds).toBeLessThan(8_000);
      expect(message).toMatch(/^Other requests have locked/);
    }
  }, 60_000);

  it('A list, a search or a count that takes more than two seconds is stopped, and says what to narrow', async () => {
    const started = performance.now();
    const tooMuch = { name: 'test.too-much', text: 'SELECT pg_sleep(30)' };
    const failure: unknown = await app.app
      .get(Database)
      .read(tooMuch, [])
      .catch((error: unknown) => error);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(asUnavailable(failure)?.message).toMatch(
      /^The request exceeded the time limit .* a smaller limit, more selective filters/,
    );
  }, 60_000);
});
