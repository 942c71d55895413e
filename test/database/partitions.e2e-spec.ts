import { EventRetention } from '../../src/features/events/event-retention.js';
import { RequestLogRetention } from '../../src/features/request-log/requests.repository.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { register } from '../webhooks/delivery-tools.js';
import { movableClock } from './moved-clock.js';

const TABLES = ['events', 'webhook_deliveries', 'webhook_delivery_attempts', 'request_log'];
const open: { app: TestApp; database: TestDatabase }[] = [];
afterEach(async () => {
  for (const { app, database } of open.splice(0)) {
    await app.close();
    await database.drop();
  }
});

/** A service whose database has a clock that the test moves. No worker runs: the test runs the retention itself. */
async function start(days: number) {
  const database = await createTestDatabase();
  await movableClock(database.url);
  const app = await startTestApp({
    databaseUrl: database.url,
    modules: [BackgroundTasksModule],
    environment: {
      EVENT_RETENTION_DAYS: String(days),
      REQUEST_LOG_DAYS: String(days),
    },
  });
  open.push({ app, database });
  const { api, accountId } = await app.account();
  const webhook = await register(api, 'http://127.0.0.1:1/');
  const query = <Row>(text: string, values: unknown[] = []) =>
    app.dataSource.query<Row[]>(text, values);
  return {
    app,
    api,
    accountId,
    webhook,
    query,
    moveTo: (day: number) => query('UPDATE clock.days SET ahead = $1', [day]),
    retain: async () => {
      for (const task of [EventRetention, RequestLogRetention]) {
        while (await app.app.get(task, { strict: false }).runBatch());
      }
    },
    /** Writes an event with a delivery, an attempt and a logged request, as of the moved clock. Returns the event's id. */
    write: async (day: number, status: 'succeeded' | 'pending') => {
      const [event] = await query<{ id: string }>(
        `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
         VALUES (uuid_v7(), $1, 'document.updated', uuid_v7(), '{}', jsonb_build_object('day', $2::int), clock_timestamp())
         RETURNING id`,
        [accountId, day],
      );
      // The next attempt is far away, so that no worker makes it.
      await query(
        `UPDATE webhook_deliveries SET status = $2, attempts = 1, next_attempt_at = now() + interval '1000 days',
                completed_at = CASE $2 WHEN 'pending' THEN NULL ELSE now() END WHERE event_id = $1`,
        [event?.id, status],
      );
      await query(
        `INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers)
         SELECT id, 1, now(), 1, '{}' FROM webhook_deliveries WHERE event_id = $1`,
        [event?.id],
      );
      await query(
        `INSERT INTO request_log (id, account_id, key_id, user_id, method, route, path, status, duration_ms, created_at)
         VALUES (uuid_v7(), $1, $1, $1, 'GET', '/', '/', 200, 1, clock_timestamp())`,
        [accountId],
      );
      return event?.id ?? '';
    },
  };
}

type Service = Awaited<ReturnType<typeof start>>;

const partitionsOf = ({ query }: Service, table: string) =>
  query<{ name: string; lower: string | null; upper: string | null }>(
    'SELECT * FROM partitions_of($1)',
    [table],
  );

const days = async ({ query }: Service) =>
  (
    await query<{ day: number }>(
      `SELECT (thin_body::json->>'day')::int AS day FROM events ORDER BY id`,
    )
  ).map(({ day }) => day);

async function count({ query }: Service, table: string): Promise<number> {
  const [row] = await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return row?.n ?? 0;
}

async function totalOf(api: ApiClient, path: string): Promise<number> {
  const response = await api.list(path, { limit: 1 });
  expectSuccess(response);
  return response.body.meta.pagination.total as number;
}

/** Expects that the totals of all lists are those of the stored rows. The log grows by the requests of the test itself. */
async function expectExactTotals(service: Service): Promise<void> {
  for (const [path, table] of [
    ['/v1/events', 'events'],
    ['/v1/deliveries', 'webhook_deliveries'],
    ['/v1/requests', 'request_log'],
  ] as const) {
    await eventually(
      async () => (await totalOf(service.api, path)) === (await count(service, table)),
    );
  }
}

/** Expects a partition for every possible id, and none for two. */
async function expectNoGaps(service: Service): Promise<void> {
  for (const table of TABLES) {
    const partitions = await partitionsOf(service, table);
    const bounds = partitions.map(({ lower }) => lower);
    expect(bounds).toEqual([null, ...partitions.slice(0, -1).map(({ upper }) => upper)]);
    expect(partitions.at(-1)?.upper).toBeNull();
    expect(bounds.length).toBeLessThanOrEqual(12);
  }
}

describe.each([
  [1, 1],
  [7, 1],
  [30, 7],
])('A retention of %d days', (retention, width) => {
  it(`removes partitions of ${String(width)} days as the clock moves, keeps what is pending, and totals stay exact`, async () => {
    const service = await start(retention);
    const { moveTo, write, retain, query } = service;
    const pendingDays = [0, 3, 20];
    const last = retention + 25;
    const [migrated] = await partitionsOf(service, 'events');
    const pending: string[] = [];
    for (let day = 0; day <= last; day += 1) {
      await moveTo(day);
      const owed = pendingDays.includes(day);
      const event = await write(day, owed ? 'pending' : 'succeeded');
      if (owed) pending.push(event);
      await retain();
      if (day % 5 === 0) {
        const stored = await days(service);
        const young = stored.filter((stays) => stays > day - retention);
        expect(young).toEqual(
          Array.from({ length: Math.min(day + 1, retention) }, (_, n) => day - n).reverse(),
        );
        // Nothing stays longer than a partition after its time, except for what is pending. A run gives way to locks.
        await eventually(async () => {
          await retain();
          const old = (await days(service)).filter((one) => one < day - retention - width - 1);
          return old.every((one) => pendingDays.includes(one));
        });
        expect(stored).toEqual(expect.arrayContaining(pendingDays.filter((owes) => owes <= day)));
        await expectExactTotals(service);
        await expectNoGaps(service);
      }
    }
    // Whole partitions were dropped: the first one now ends later.
    const [first] = await partitionsOf(service, 'events');
    expect(String(first?.upper) > String(migrated?.upper)).toBe(true);
    for (const id of pending) {
      const [row] = await query(
        `SELECT status, (SELECT count(*)::int FROM webhook_delivery_attempts AS attempt WHERE attempt.delivery_id = delivery.id) AS attempts
           FROM webhook_deliveries AS delivery JOIN events ON events.id = delivery.event_id WHERE event_id = $1`,
        [id],
      );
      expect(row).toEqual({ status: 'pending', attempts: 1 });
    }
    // An ended delivery goes with its event at the next run.
    await query(
      `UPDATE webhook_deliveries SET status = 'succeeded', completed_at = now() WHERE event_id = $1`,
      [pending[0]],
    );
    await retain();
    const response = await service.api.send(
      'GET',
      `/v1/events/${encodeId('event', pending[0] ?? '')}`,
    );
    expectFailure(response, 404, 'NOT_FOUND');
    await expectExactTotals(service);
    expect(await count(service, 'webhook_delivery_attempts')).toBe(
      await count(service, 'webhook_deliveries'),
    );
  }, 120_000);
});

describe('Partitions', () => {
  it('take every event of a clock that was ahead for a while, and of one that was not looked after for months', async () => {
    const service = await start(7);
    const { moveTo, write, retain } = service;
    await write(0, 'succeeded');
    await moveTo(400);
    await write(400, 'succeeded');
    await moveTo(1);
    await retain();
    await write(1, 'succeeded');
    expect(await days(service)).toEqual([0, 1, 400]);
    await moveTo(100);
    await write(100, 'pending');
    await retain();
    expect(await days(service)).toEqual([100, 400]);
    await expectExactTotals(service);
    await expectNoGaps(service);
    for (const day of [110, 120, 130]) {
      await moveTo(day);
      await write(day, 'succeeded');
      await retain();
    }
    expect(await days(service)).toEqual([100, 130, 400]);
    await expectExactTotals(service);
  }, 60_000);

  it('that are dropped expire the cursors of their events', async () => {
    const service = await start(1);
    const { moveTo, write, retain, api } = service;
    await retain();
    await moveTo(12);
    const old = await write(12, 'succeeded');
    await write(12, 'succeeded');
    await write(12, 'succeeded');
    await retain();
    const { nextCursor } = (
      await api.list('/v1/events', { after: encodeId('event', old), limit: 1 })
    ).body.meta.pagination as { nextCursor: string };
    await moveTo(20);
    await write(20, 'succeeded');
    await retain();
    expect(await days(service)).toEqual([20]);
    for (const after of [encodeId('event', old), nextCursor]) {
      const refused = await api.list('/v1/events', { after });
      expectFailure(refused, 400, 'INVALID_REQUEST');
    }
    const { body } = await api.list('/v1/events', { after: 'start' });
    expect(body.data).toHaveLength(1);
  }, 60_000);

  it('are not dropped while another statement uses their table, which waits for nothing longer than a second', async () => {
    const service = await start(1);
    const { moveTo, write, retain, app } = service;
    await moveTo(12);
    await write(12, 'succeeded');
    await retain();
    await moveTo(20);
    const reader = app.dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM webhook_deliveries LIMIT 0');
    await retain();
    expect(await days(service)).toEqual([12]);
    await reader.commitTransaction();
    await reader.release();
    await retain();
    expect(await days(service)).toEqual([]);
    await expectExactTotals(service);
  }, 60_000);

  it('keep any number of pending deliveries, and others are dropped beside them', async () => {
    const service = await start(1);
    const { moveTo, write, retain, query, accountId } = service;
    await moveTo(12);
    await retain();
    await query(
      `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
       SELECT uuid_v7(), $1, 'document.updated', uuid_v7(), '{}', '{"day": 12}', now() FROM generate_series(1, 10050)`,
      [accountId],
    );
    await query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1000 days'`);
    for (const day of [13, 16, 19, 22]) {
      await moveTo(day);
      await write(day, day === 16 ? 'pending' : 'succeeded');
      await retain();
    }
    expect(await count(service, 'events')).toBe(10_052);
    expect((await days(service)).slice(-2)).toEqual([16, 22]);
    await query(`UPDATE webhook_deliveries SET status = 'succeeded', completed_at = now()`);
    await moveTo(25);
    await retain();
    expect(await days(service)).toEqual([]);
    await expectExactTotals(service);
    await expectNoGaps(service);
    expect(await count(service, 'webhook_delivery_attempts')).toBe(0);
  }, 120_000);

  it('are left alone for roles that may not delete rows', async () => {
    const { query, moveTo, write, retain, ...rest } = await start(1);
    await moveTo(12);
    await write(12, 'succeeded');
    await retain();
    await moveTo(20);
    // session_user stays the role of the connection, so the privilege is what can be taken away.
    await query('REVOKE DELETE ON events FROM CURRENT_USER');
    await query('SELECT drop_partitions($1, 1)', ['events']);
    expect(await days({ query, moveTo, write, retain, ...rest })).toEqual([12]);
    await query('GRANT DELETE ON events TO CURRENT_USER');
    await retain();
    expect(await days({ query, moveTo, write, retain, ...rest })).toEqual([]);
  }, 60_000);
});
