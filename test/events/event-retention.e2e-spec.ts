import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  // No worker, because it would send the deliveries.
  app = await startTestApp({ databaseUrl: database.url, modules: [BackgroundTasksModule] });
});
afterEach(() => app.dataSource.query('TRUNCATE events, webhook_deliveries, webhooks CASCADE'));
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** Makes all events 31 days older. Their ids start with their time. */
async function passRetentionTime(): Promise<void> {
  const older = (id: string) =>
    `(lpad(to_hex(('x0000' || left(replace(${id}::text, '-', ''), 12))::bit(64)::bigint - 31 * 86400000::bigint), 12, '0')
      || substr(replace(${id}::text, '-', ''), 13))::uuid`;
  await app.dataSource.query(
    `WITH aged AS (UPDATE events SET id = ${older('id')})
     UPDATE webhook_deliveries SET event_id = ${older('event_id')}`,
  );
}

/** Purges expired events and returns their number. */
async function purge(): Promise<number> {
  const before = await countEvents();
  await app.app.get(BackgroundTasks).runAll();
  return before - (await countEvents());
}

async function countEvents(): Promise<number> {
  const [row] = await app.dataSource.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM events',
  );
  return row?.n ?? 0;
}

async function eventsOf(api: ApiClient): Promise<unknown[]> {
  return (await api.listEvents()).body.data as unknown[];
}

async function registerWebhook(api: ApiClient): Promise<string> {
  const response = await api.registerWebhook({ url: 'http://127.0.0.1:1', events: ['*'] });
  return (response.body.data as { id: string }).id;
}

describe('An event', () => {
  it('An event is stored for the retention time, then purged', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'Watched' });
    expect(await purge()).toBe(0);
    expect(await eventsOf(api)).toHaveLength(1);
    await passRetentionTime();
    expect(await purge()).toBe(1);
    expect(await eventsOf(api)).toEqual([]);
  });

  it('An event is stored longer while a delivery of it is pending', async () => {
    const { api } = await app.account();
    const webhook = await registerWebhook(api);
    await api.createDocument({ title: 'Owed' });
    await passRetentionTime();
    expect(await purge()).toBe(0);
    await api.deleteWebhook(webhook);
    expect(await purge()).toBe(1);
  });

  it('An event is purged with its delivery if that was planned while its webhook was being deleted', async () => {
    const { api } = await app.account();
    const webhook = await registerWebhook(api);
    await api.createDocument({ title: 'Crossed' });
    // This remains if the event commits after the deletion but still saw the webhook.
    await app.dataSource.query('DELETE FROM webhooks WHERE id = $1', [
      decodeId('webhook', webhook),
    ]);
    await passRetentionTime();
    expect(await purge()).toBe(1);
    expect(await app.dataSource.query('SELECT id FROM webhook_deliveries')).toEqual([]);
  });

  it('An event that expired while no process ran is purged on the next start', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'Old' });
    await passRetentionTime();
    const next = await startTestApp({
      databaseUrl: database.url,
      environment: { PROCESS_ROLE: 'worker' },
      runTasks: true,
    });
    await eventually(
      () => eventsOf(api),
      (events) => events.length === 0,
    );
    await next.close();
  });

  // The last test, because the clock stays there.
  it("An event is stored for the retention time whatever a process's clock says", async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'Kept' });
    app.clock.advance(400 * 24 * 60 * 60 * 1000);
    expect(await purge()).toBe(0);
    expect(await countEvents()).toBe(1);
  });
});
