import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createApp } from '../../src/entrypoints/boot/configure-app.js';
import { Config, readEnvironment } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/operation/log.js';
import { threadModule } from '../../src/platform/threads/thread-task.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase, runOn } from '../support/postgres.js';
import { spawnService, startService } from '../support/service-process.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let receiver: WebhookReceiver;
const secretsKey = randomBytes(32);
const environment = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY: secretsKey.toString('base64'),
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WARM_UP: 'false',
});

/** A delivery and a job are due, which no worker has seen. */
beforeAll(async () => {
  database = await openTestDatabase();
  receiver = await WebhookReceiver.start();
  const { key } = await makeAccount(database.dataSource);
  const service = await startService({ ...environment(), PROCESS_ROLE: 'api' });
  const api = new ApiClient(service.origin, key);
  const hook = { url: receiver.url, events: ['*'], secret: 'webhook-secret-0123456789' };
  expect((await api.registerWebhook(hook)).status).toBe(201);
  expect((await api.createDocument({ title: 'A', content: 'We recieve it.' })).status).toBe(201);
  await api.exportAccount();
  await service.end();
});
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

/** Rows that only a worker changes, and sessions that only it opens. */
async function traces(): Promise<unknown> {
  const [deliveries, jobs, sessions] = await Promise.all([
    database.dataSource.query(
      'SELECT status, lease_generation FROM webhook_deliveries ORDER BY id',
    ),
    database.dataSource.query('SELECT status, lease_generation FROM jobs ORDER BY id'),
    database.dataSource.query(
      `SELECT application_name FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    ),
  ]);
  return { deliveries, jobs, sessions };
}

describe('a process that cannot listen', () => {
  it.each(['all', 'worker'])(
    'a process that cannot listen delivers and leases nothing, and prints one sentence: %s',
    async (role) => {
      const before = await traces();
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const service = spawnService({ ...environment(), PROCESS_ROLE: role, PORT: String(port) });
      await once(service.child, 'close');
      other.close();
      expect(service.child.exitCode).toBe(1);
      expect(service.output()).toBe(
        `Port ${String(port)} on 127.0.0.1 is in use by another program. Stop it, or set PORT to a free port.`,
      );
      expect(receiver.received).toEqual([]);
      expect(await traces()).toEqual(before);
    },
  );

  it('a process that cannot listen migrates nothing', async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    await runOn(database.url, `CREATE DATABASE ${name}`);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const service = spawnService({ ...environment(), DATABASE_URL: url.href, PORT: String(port) });
    await once(service.child, 'close');
    other.close();
    expect(service.output()).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use/);
    // Fails if there are tables already.
    await runOn(url.href, 'CREATE TABLE documents (id integer)');
    await runOn(database.url, `DROP DATABASE ${name} WITH (FORCE)`);
  });
});

it('a worker starts its work when it listens, not before', async () => {
  const variables = { ...environment(), PROCESS_ROLE: 'worker', LOG_LEVEL: 'silent' };
  const config = new Config(readEnvironment(variables), database.url, secretsKey);
  const before = await traces();
  const jobThread = threadModule(`file://${process.cwd()}/src/x.ts`, './job-thread');
  const app = await createApp(config, createLog('silent'), jobThread);
  try {
    expect(await traces()).toEqual(before);
    expect(receiver.received).toEqual([]);
    await app.listen(0, '127.0.0.1');
    await eventually(() => receiver.received.length > 0);
  } finally {
    await app.close();
  }
});
