import type { DataSource } from 'typeorm';
import { DatabaseClock } from '../../src/platform/background/database-clock.js';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { answer, inTurn, WebhookReceiver } from '../support/webhook-receiver.js';
import { deliveriesOf, emit, register, untilStatus } from './delivery-tools.js';

const HOUR_MS = 3_600_000;

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '0,40,7200' },
    runTasks: true,
  });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(() => app.close());

/** Adds an hour to all stored times, which has the same effect as setting the database's clock back by an hour. */
async function stepBack(source: DataSource): Promise<void> {
  await source.query(`
    WITH clock AS (UPDATE database_clock SET seen_at = clock_timestamp() + interval '1 hour'),
         hooks AS (UPDATE webhooks SET circuit_probe_at = circuit_probe_at + interval '1 hour',
                     circuit_opened_at = circuit_opened_at + interval '1 hour',
                     failing_since = failing_since + interval '1 hour'),
         work AS (UPDATE jobs SET run_at = run_at + interval '1 hour',
                    lease_expires_at = lease_expires_at + interval '1 hour')
    UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at + interval '1 hour',
      lease_expires_at = lease_expires_at + interval '1 hour' WHERE status = 'pending'`);
}

/** Resolves when all scheduled times have been adjusted to the clock. */
const untilFollowed = () =>
  eventually(async () => {
    const [row] = await app.dataSource.query<{ followed: boolean }[]>(
      `SELECT step IS NULL AND seen_at < clock_timestamp() + interval '1 minute' AS followed FROM database_clock`,
    );
    return row?.followed;
  });

/** Does the same without waiting for the worker to look. */
async function follow(): Promise<void> {
  const clock = app.app.get(DatabaseClock);
  while (await clock.runBatch());
  // A worker may have begun already.
  await untilFollowed();
}

describe('When the database’s clock goes back by an hour', () => {
  it('an attempt planned for soon starts within a minute, and one planned for later on time', async () => {
    receiver.behave(answer(500));
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await emit(app.dataSource, accountId);
    await emit(app.dataSource, accountId);
    const [soon] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      (rows) => rows.length === 2 && rows.every(({ attempts }) => attempts === 1),
    );
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() + interval '2 hours' WHERE webhook_id = $1 AND id <> $2`,
      [webhook, soon?.id],
    );
    await stepBack(app.dataSource);
    await untilFollowed();
    const waits = (await deliveriesOf(app.dataSource, webhook)).map(({ wait }) => wait);
    expect(Math.min(...waits)).toBeLessThan(60_000);
    expect(Math.max(...waits)).toBeGreaterThan(2 * HOUR_MS - 60_000);
    expect(Math.max(...waits)).toBeLessThan(2 * HOUR_MS + 60_000);
  });

  it('due deliveries are sent, even if a worker that is gone had leased them and the circuit was open', async () => {
    receiver.behave(inTurn(answer(500), answer(204)));
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await emit(app.dataSource, accountId);
    await receiver.gets(1);
    await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([row]) => row?.attempts === 1,
    );
    await app.dataSource.query(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() - interval '10 minutes',
              lease_expires_at = clock_timestamp() + interval '2 seconds' WHERE webhook_id = $1`,
      [webhook],
    );
    await app.dataSource.query(
      `UPDATE webhooks SET circuit_opened_at = clock_timestamp(), consecutive_failures = 10,
              circuit_probe_at = clock_timestamp() + interval '2 seconds' WHERE id = $1`,
      [webhook],
    );
    await stepBack(app.dataSource);
    const stepped = performance.now();
    await follow();
    await untilStatus(app.dataSource, webhook, 'succeeded');
    expect(performance.now() - stepped).toBeLessThan(60_000);
  });

  it('jobs and their leases are not delayed', async () => {
    const id = newUuid();
    const { accountId } = await app.account();
    // A job of a kind that nobody runs, to be inspected.
    await app.dataSource.query(
      `INSERT INTO jobs (id, account_id, kind, status, input, context, run_at, lease_expires_at, created_at)
       VALUES ($1, $2, 'nothing', 'running', '{}', '{}', now(), now() + interval '30 seconds', now())`,
      [id, accountId],
    );
    await stepBack(app.dataSource);
    await follow();
    const [job] = await app.dataSource.query<object[]>(
      `SELECT run_at < now() + interval '30 seconds' AS due, lease_expires_at < now() + interval '1 minute' AS ends
         FROM jobs WHERE id = $1`,
      [id],
    );
    expect(job).toEqual({ due: true, ends: true });
  });

  it('a long queue is moved in steps, every delivery once', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await emit(app.dataSource, accountId);
    await untilStatus(app.dataSource, webhook, 'succeeded');
    await app.dataSource.query(
      `INSERT INTO webhook_deliveries (id, account_id, event_id, webhook_id, next_attempt_at, created_at)
       SELECT gen_random_uuid(), account_id, event_id, webhook_id,
              clock_timestamp() + interval '3 hours' + number * interval '1 second', created_at
         FROM webhook_deliveries, generate_series(1, 12000) AS number WHERE webhook_id = $1`,
      [webhook],
    );
    await stepBack(app.dataSource);
    await follow();
    const [waits] = await app.dataSource.query<{ first: number; last: number }[]>(
      `SELECT extract(epoch FROM min(next_attempt_at) - now())::float8 AS first,
              extract(epoch FROM max(next_attempt_at) - now())::float8 AS last
         FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending'`,
      [webhook],
    );
    expect(waits?.first).toBeGreaterThan(3 * 3600 - 60);
    expect(waits?.first).toBeLessThan(3 * 3600 + 60);
    expect(waits?.last).toBeLessThan(3 * 3600 + 12_000 + 60);
  });

  it('a running clock is recorded every few seconds, not more often', async () => {
    const versions = new Set<string>();
    const begun = performance.now();
    for (let look = 0; look < 50; look += 1) {
      await app.app.get(DatabaseClock).runBatch();
      const [row] = await app.dataSource.query<{ version: string }[]>(
        'SELECT xmin::text AS version FROM database_clock',
      );
      versions.add(row?.version ?? '');
    }
    const seconds = (performance.now() - begun) / 1_000;
    expect(versions.size).toBeLessThanOrEqual(2 + seconds / 5);
  });
});
