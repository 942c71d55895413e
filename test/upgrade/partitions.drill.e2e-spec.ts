import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrate } from '../../src/platform/database/migrations/migrations.js';
import { schemaObjects } from '../../src/platform/database/migrations/schema-fingerprint.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { makeAccount } from '../support/accounts.js';
import { drillCount } from '../support/drills.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const ROWS = drillCount({ small: 20_000, full: 1_000_000 });
const TABLES = ['events', 'webhook_deliveries', 'webhook_delivery_attempts', 'request_log'];
/** The three migrations that partition the tables. */
const [BOUNDS, CHECKED, PARTITIONED] = SCHEMA.migrations
  .map(({ name }) => name)
  .filter((name) => /(PartitionBounds|CheckedBounds|Partitions)\d+$/.test(name)) as [
  string,
  string,
  string,
];

let database: TestDatabase;
const open: DataSource[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const dataSource of open) await dataSource.destroy();
  await database.drop();
});

/** Connects a build whose newest migration is `last`. */
async function connect(last: string): Promise<DataSource> {
  const end = SCHEMA.migrations.findIndex(({ name }) => name === last) + 1;
  const schema = { ...SCHEMA, migrations: SCHEMA.migrations.slice(0, end) };
  const dataSource = await new DataSource(dataSourceOptions(database.url, 2, schema)).initialize();
  open.push(dataSource);
  return dataSource;
}

async function undoMigrationsAfter(last: string): Promise<void> {
  const names = SCHEMA.migrations.map(({ name }) => name);
  const current = await connect(names.at(-1) ?? last);
  for (let n = names.length - 1; n > names.indexOf(last); n -= 1) await current.undoLastMigration();
}

/** Ids of the last 30 days, in order of `n`. */
const idOf = (rows: string) =>
  `(lpad(to_hex((extract(epoch FROM now() - interval '30 days' * (1 - n::float / ${rows})) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

async function fill(dataSource: DataSource, accountId: string, webhookId: string): Promise<void> {
  const every = 20_000;
  await dataSource.query('ALTER TABLE events DISABLE TRIGGER plan_deliveries');
  for (let from = 1; from <= ROWS; from += every) {
    await dataSource.query(
      `WITH item AS (
         SELECT ${idOf('$5')} AS id, n FROM generate_series($3::int, $4::int) AS n
       ), event AS (
         INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
         SELECT id, $1, 'document.updated', id, repeat('x', 500), '{}', now() FROM item
       ), delivery AS (
         INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, subject_id, status, attempts, next_attempt_at, created_at, completed_at)
         SELECT id, $1, id, $2, id, 'succeeded', 1, now(), now(), now() FROM item
       ), request AS (
         INSERT INTO request_log (id, account_id, key_id, user_id, method, route, path, status, duration_ms, created_at)
         SELECT id, $1, $1, $1, 'GET', '/', '/', 200, 1, now() FROM item
       )
       INSERT INTO webhook_delivery_attempts (delivery_id, number, started_at, duration_ms, request_headers)
       SELECT id, 1, now(), 1, '{}' FROM item`,
      [accountId, webhookId, from, Math.min(from + every - 1, ROWS), ROWS],
    );
  }
  await dataSource.query('ALTER TABLE events ENABLE TRIGGER plan_deliveries');
}

/** Statements that all run during the migration. PostgreSQL ends one that waits for a lock for a second. */
class Traffic {
  written = 0;
  sent = 0;
  readonly failures: string[] = [];
  private isStopped = false;
  private readonly running: Promise<void>[];

  constructor(accountId: string, webhookId: string) {
    const page = (table: string) =>
      this.loop(async (client) => {
        await client.query(
          `SELECT * FROM ${table} WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20`,
          [accountId],
        );
      });
    const write = () =>
      this.loop(async (client) => {
        await client.query(
          `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
           VALUES (uuid_v7(), $1, 'document.updated', uuid_v7(), '{}', '{}', now())`,
          [accountId],
        );
        this.written += 1;
        await client.query(
          `INSERT INTO request_log (id, account_id, key_id, user_id, method, route, path, status, duration_ms, created_at)
           VALUES (uuid_v7(), $1, $1, $1, 'GET', '/', '/', 200, 1, now()) ON CONFLICT (id) DO NOTHING`,
          [accountId],
        );
      });
    const send = this.loop(async (client) => {
      const { rows } = await client.query<{
        deliveryId: string;
        generation: number;
        attempts: number;
      }>(
        `SELECT * FROM claim_webhook_deliveries(ARRAY[$1::uuid], '{100}', 100, 32000000, 100, 30000, 0)`,
        [webhookId],
      );
      const settled = rows.map(({ deliveryId, generation, attempts }) => ({
        ...{ deliveryId, generation, number: attempts + 1, status: 'succeeded' },
        ...{ startedAt: new Date(), durationMs: 1, requestHeaders: {} },
      }));
      const { rowCount } = await client.query('SELECT settle_webhook_deliveries($1::json)', [
        JSON.stringify(settled),
      ]);
      this.sent += rowCount ?? 0;
    });
    this.running = [
      write(),
      write(),
      page('events'),
      page('webhook_deliveries'),
      page('request_log'),
      send,
    ];
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  private async loop(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: database.url, lock_timeout: 1_000 });
    await client.connect();
    while (!this.isStopped) {
      await work(client).catch((error: unknown) => this.failures.push(String(error)));
      await wait(5);
    }
    await client.end();
  }
}

async function counts(dataSource: DataSource): Promise<Record<string, number>> {
  const counted = TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [row] = await dataSource.query<Record<string, number>[]>(`SELECT ${counted.join(', ')}`);
  return row ?? {};
}

it('tables are partitioned under traffic: no statement waits a second for a lock or fails, and nothing is lost', async () => {
  await undoMigrationsAfter(PARTITIONED);
  const dataSource = await connect(PARTITIONED);
  const partitioned = await schemaObjects(dataSource);
  // The bound of the first partition contains the date of the migration.
  const withoutDates = (lines: string[]) => lines.filter((line) => !/_\d{8}\b/.test(line));
  for (let n = 0; n < 3; n += 1) await dataSource.undoLastMigration();
  const { accountId } = await makeAccount(dataSource);
  const [webhook] = await dataSource.query<{ id: string }[]>(
    `INSERT INTO webhooks (id, account_id, url, events, payload, secret_encrypted, secret_preview, created_at, updated_at)
     VALUES (uuid_v7(), $1, 'https://receiver.example/', '{*}', 'full', '', '', now(), now()) RETURNING id`,
    [accountId],
  );
  await fill(dataSource, accountId, webhook?.id ?? '');

  const traffic = new Traffic(accountId, webhook?.id ?? '');
  while (traffic.sent === 0) await wait(10);
  // Killed between the steps, and started again.
  expect(await migrate(await connect(BOUNDS))).toEqual([BOUNDS]);
  const before = traffic.written;
  while (traffic.written === before) await wait(10);
  expect(await migrate(await connect(PARTITIONED))).toEqual([CHECKED, PARTITIONED]);
  const after = traffic.sent;
  while (traffic.sent === after) await wait(10);
  await traffic.stop();

  expect(traffic.failures).toEqual([]);
  expect(await counts(dataSource)).toMatchObject({
    events: ROWS + traffic.written,
    webhook_deliveries: ROWS + traffic.written,
    webhook_delivery_attempts: ROWS + traffic.sent,
    request_log: ROWS + traffic.written,
  });
  const [totals] = await dataSource.query<object[]>(
    `SELECT sum(count) FILTER (WHERE kind = 'events')::int AS events,
            sum(count) FILTER (WHERE kind = 'request_log')::int AS requests FROM row_counts WHERE account_id = $1`,
    [accountId],
  );
  expect(totals).toEqual({ events: ROWS + traffic.written, requests: ROWS + traffic.written });
  const [order] = await dataSource.query<{ n: number }[]>(
    'SELECT count(DISTINCT sequence)::int AS n FROM webhook_deliveries',
  );
  expect(order?.n).toBe(ROWS + traffic.written);
  expect(withoutDates(await schemaObjects(dataSource))).toEqual(withoutDates(partitioned));

  // And back, with rows in two partitions.
  await dataSource.query(
    `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
     SELECT smallest_id(now() + interval '60 days'), $1, 'webhook.test', '{}', '{}', now()`,
    [accountId],
  );
  const stored = await counts(dataSource);
  for (let n = 0; n < 3; n += 1) await dataSource.undoLastMigration();
  expect(await counts(dataSource)).toEqual(stored);
}, 900_000);
