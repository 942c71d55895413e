import { TypeID } from 'typeid-js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { newId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient } from '../support/api-client.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { idsIn, logged, requestIdOf, write } from './request-log.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let database: TestDatabase;
let app: TestApp;
const started: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  app = await start({ PROCESS_ROLE: 'all' });
});
afterAll(async () => {
  for (const one of started.toReversed()) await one.close();
  await database.drop();
});

async function start(environment: Record<string, string> = {}, databaseUrl = database.url) {
  const one = await startTestApp({ databaseUrl, environment, stopClock: false });
  started.push(one);
  return one;
}

/** Returns a request id of another time. */
function idOf(at: Date): string {
  const digits = at.getTime().toString(16).padStart(12, '0');
  return TypeID.fromUUID(
    'req',
    `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000001`,
  ).toString();
}

/** Writes log rows by SQL. They are `ageMs` old and a millisecond apart. */
async function fill(accountId: string, count: number, ageMs = 0): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO request_log (id, account_id, key_id, user_id, method, route, path, status, duration_ms, created_at)
     SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000' ||
             substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
            $1, $1, $1, 'GET', '/v1/documents', '/v1/documents', 200, 1, at
       FROM (SELECT now() - $3 * interval '1 millisecond' + n * interval '1 millisecond' AS at
               FROM generate_series(1, $2::integer) AS n) AS times`,
    [accountId, count, ageMs],
  );
}

const purge = () => app.app.get(BackgroundTasks).runAll();
const list = (api: ApiClient, query = {}) => api.list('/v1/requests', query);
const reasonOf = async (api: ApiClient, id: string) => {
  const response = await api.send('GET', `/v1/requests/${id}`);
  expectFailure(response, 404, 'NOT_FOUND');
  return response.body.error as { message: string; details: { reason: string } };
};

describe('the request log', () => {
  it('the request log stores a request for seven days, and says so for an older one', async () => {
    const { api, accountId } = await app.account();
    await fill(accountId, 10, 7 * DAY_MS + 60_000);
    await fill(accountId, 10, 7 * DAY_MS - 60_000);
    await purge();
    expect((await list(api)).body.meta.pagination.total).toBeLessThan(20);
    const left = await list(api, { until: new Date(Date.now() - DAY_MS).toISOString() });
    expect(left.body.meta.pagination.total).toBe(10);
    const { message, details } = await reasonOf(api, idOf(new Date(Date.now() - 8 * DAY_MS)));
    expect(details.reason).toBe('expired');
    expect(message).toContain('stored for 7 days');
  });

  it('the request log stores the newest 100,000 of an account, and counts the removed ones', async () => {
    const [crowded, other] = [await app.account(), await app.account()];
    const filledAt = Date.now();
    await fill(crowded.accountId, 100_250, 10 * 60_000);
    await fill(other.accountId, 5, 20 * 60_000);
    await purge();
    const response = await list(crowded.api, { limit: 1, order: 'asc' });
    const { pagination, requestLog } = response.body.meta as {
      pagination: { total: number };
      requestLog: object;
    };
    expect(pagination.total).toBe(100_000);
    expect(requestLog).toEqual({ days: 7, notKept: { busy: 0, outage: 0, full: 250 } });
    expect((await list(other.api)).body.meta.requestLog.notKept.full).toBe(0);
    const { details, message } = await reasonOf(
      crowded.api,
      idOf(new Date(filledAt - 10 * 60_000)),
    );
    expect(details.reason).toBe('full');
    expect(message).toContain('250 requests of that hour');
    const future = { since: new Date(Date.now() + 2 * 60 * 60_000).toISOString() };
    expect((await list(crowded.api, future)).body.meta.requestLog.notKept.full).toBe(0);
  }, 60_000);

  it('the request log stores 200 per second, failures first, and says how many it omitted', async () => {
    const quiet = await start();
    const { api } = await quiet.account();
    await write(quiet);
    // Within one second, so the service writes nothing in between.
    const responses = await Promise.all(
      Array.from({ length: 260 }, (_, n) =>
        n < 40 ? api.readDocument('doc_x') : api.listDocuments({ limit: 1 }),
      ),
    );
    expect(responses).toHaveLength(260);
    const state = await eventually(
      async () => {
        await write(quiet);
        const { body } = await list(api, { route: '/v1/documents' });
        const failed = await list(api, { status: '404' });
        return {
          kept: body.meta.pagination.total as number,
          busy: body.meta.requestLog.notKept.busy as number,
          failed: failed.body.meta.pagination.total as number,
        };
      },
      ({ kept, busy, failed }) => kept + busy + failed >= 260,
    );
    expect(state.failed).toBe(40);
    // A second may have ended while they arrived.
    expect(state.kept + state.failed + state.busy).toBeGreaterThanOrEqual(260);
  }, 60_000);

  it('the request log says to retry for a request that is not written yet, and that an unknown one does not exist', async () => {
    const { api } = await app.account();
    expect((await reasonOf(api, newId('request'))).details.reason).toBe('pending');
    const old = idOf(new Date(Date.now() - 60 * 60_000));
    expect((await reasonOf(api, old)).details.reason).toBe('unknown');
    expectFailure(await api.send('GET', '/v1/requests/x'), 404, 'NOT_FOUND');
  });

  it('the request log is written by the service itself within seconds, and before it exits', async () => {
    const other = await start();
    const { api } = await other.account();
    const response = await api.listDocuments();
    const found = await eventually(
      () => api.send('GET', `/v1/requests/${requestIdOf(response)}`),
      ({ status }) => status === 200,
    );
    expectSuccess(found);
    const last = await api.listDocuments();
    await other.close();
    started.splice(started.indexOf(other), 1);
    const [row] = await app.dataSource.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM request_log WHERE id = $1',
      [TypeID.fromString(requestIdOf(last)).toUUID()],
    );
    expect(row?.n).toBe(1);
  });

  it('the request log loses nothing while the database is briefly unavailable, and no request waits for it', async () => {
    const url = new URL(database.url);
    const proxy = await TcpProxy.start(Number(url.port), url.hostname);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const cutOff = await start({}, url.href);
    const { api } = await cutOff.account();
    const responses = [];
    for (let n = 0; n < 5; n += 1) responses.push(await api.listDocuments());
    await proxy.cut();
    await expect(write(cutOff)).rejects.toThrow();
    await proxy.restore();
    for (const response of responses) await logged(cutOff, api, response);
    const { body } = await list(api, { route: '/v1/documents' });
    expect(body.meta.pagination.total).toBe(5);
    await cutOff.close();
    started.splice(started.indexOf(cutOff), 1);
    await proxy.close();
  }, 30_000);

  it('the request log is empty with REQUEST_LOG_DAYS=0, says so, and totals still count', async () => {
    const off = await start({ REQUEST_LOG_DAYS: '0' });
    const { api } = await off.account();
    const response = await api.listDocuments();
    await write(off);
    const all = await list(api);
    expect(idsIn(all)).toEqual([]);
    expect(all.body.meta.requestLog.days).toBe(0);
    expect((await reasonOf(api, requestIdOf(response))).details.reason).toBe('off');
    const series = await eventually(
      async () => {
        await write(off);
        return api.send('GET', '/v1/usage/series?metric=requests&step=hour');
      },
      ({ body }) =>
        (body.data.points as { count: number }[]).reduce((sum, { count }) => sum + count, 0) >= 3,
    );
    expectSuccess(series);
  });
});
