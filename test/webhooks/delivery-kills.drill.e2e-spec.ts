import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { respondWith, hang, WebhookReceiver } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { deliveriesOf, emit, register, untilStatus } from './delivery-tools.js';

const CERTIFICATES = join(process.cwd(), 'test/support/certificates');
const CERTIFICATE = join(CERTIFICATES, 'receiver.pem');

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let environment: Record<string, string>;
let api: ServiceProcess;
let accountId: string;
let client: ApiClient;
let key: string;
/** The current worker. A test that kills it replaces it with the next one. */
let worker: ServiceProcess;
/** Suspended until needed. It starts between tests; otherwise it would take a test's deliveries before it is suspended. */
let next: ServiceProcess | undefined;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
    // A lease is twice as long.
    WEBHOOK_TIME_LIMIT_SECONDS: '1',
    WEBHOOK_RETRY_SCHEDULE: '0,1,1,1,1',
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
  };
  [api, worker] = await Promise.all([start('api'), start('worker')]);
});
beforeEach(async () => {
  ({ key, accountId } = await makeAccount(database.dataSource));
  client = new ApiClient(api.origin, key);
});
afterAll(async () => {
  await Promise.all(started.map((process) => process.end('SIGKILL')));
  await database.drop();
});

async function start(role: string): Promise<ServiceProcess> {
  const process = await startService({ ...environment, PROCESS_ROLE: role });
  started.push(process);
  return process;
}

async function startSuspended(): Promise<ServiceProcess> {
  const suspended = await start('worker');
  suspended.child.kill('SIGSTOP');
  return suspended;
}

/** Lets the next worker take over from the killed one. */
function takeOver(): void {
  if (next === undefined) throw new Error('No worker is there to take over.');
  worker = next;
  worker.child.kill('SIGCONT');
  next = undefined;
}

/** Ends the leases of a killed or paused worker, as if their time had passed. */
async function endLeases(): Promise<void> {
  await database.dataSource.query(
    `UPDATE webhook_deliveries SET lease_expires_at = clock_timestamp(), next_attempt_at = clock_timestamp()
      WHERE lease_expires_at IS NOT NULL`,
  );
  await database.dataSource.query(`NOTIFY webhook_deliveries, ''`);
}

/** Expects that a delivery arrived once, or once more after a kill with the same id and bytes. */
function expectAtMostOneDuplicate(receiver: WebhookReceiver): void {
  const [first, ...more] = receiver.received;
  expect(more.length).toBeLessThanOrEqual(1);
  for (const again of more) {
    expect(again.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again.bytes).toEqual(first?.bytes);
  }
}

/** Has a worker ready to take over. */
async function prepareNext(): Promise<void> {
  next ??= await startSuspended();
}

describe('a process killed', () => {
  beforeEach(prepareNext);

  it('a process killed before its change commits leaves change, event and delivery, or none of them', async () => {
    const receiver = await WebhookReceiver.start();
    const webhook = await register(client, receiver.url);
    const doomed = await start('api');
    const blocker = database.dataSource.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE');
    const lost = new ApiClient(doomed.origin, key)
      .createDocument({ title: 'Lost' })
      .catch(() => 'lost');
    await eventually(
      () => database.dataSource.query<object[]>('SELECT FROM pg_locks WHERE NOT granted'),
      (rows) => rows.length > 0,
    );
    await doomed.end('SIGKILL');
    await blocker.rollbackTransaction();
    await blocker.release();
    expect(await lost).toBe('lost');
    // PostgreSQL may finish the statement of a client that is gone. Then its whole effect is stored.
    expect((await client.createDocument({ title: 'Kept' })).status).toBe(201);
    const owed = await eventually(
      () => deliveriesOf(database.dataSource, webhook),
      (rows) => rows.every(({ status }) => status === 'succeeded'),
    );
    expect(receiver.received).toHaveLength(owed.length);
    const [counts] = await database.dataSource.query<object[]>(
      'SELECT (SELECT count(*) FROM documents) = (SELECT count(*) FROM events) AS agree',
    );
    expect(counts).toEqual({ agree: true });
    await receiver.close();
  });

  it('a process killed after its claim, before sending, delays the delivery by a lease; and certificates are trusted as configured', async () => {
    // Accepts the connection, and is silent when encryption should start.
    const silent = createServer().listen(0);
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const webhook = await register(client, `https://localhost:${String(port)}/`);
    const connected = once(silent, 'connection');
    await emit(database.dataSource, accountId);
    await connected;
    const killedAt = performance.now();
    await worker.end('SIGKILL');
    silent.close();
    const received: string[] = [];
    const tls = createHttpsServer(
      {
        key: readFileSync(join(CERTIFICATES, 'receiver-key.pem')),
        cert: readFileSync(CERTIFICATE),
      },
      (request, response) => {
        received.push(String(request.headers['webhook-id']));
        response.writeHead(204).end();
      },
    ).listen(port);
    takeOver();
    const [delivery] = await untilStatus(database.dataSource, webhook, 'succeeded');
    expect(delivery?.attempts).toBe(1);
    expect(received).toHaveLength(1);
    expect(performance.now() - killedAt).toBeLessThan(15_000);
    tls.closeAllConnections();
    tls.close();
  });

  it('a process killed after the bytes are sent causes one duplicate, with the same ID and bytes', async () => {
    const receiver = await WebhookReceiver.start(hang);
    const webhook = await register(client, receiver.url);
    await emit(database.dataSource, accountId, { padding: 100_000 });
    await receiver.gets(1);
    await worker.end('SIGKILL');
    receiver.behave(respondWith(200));
    takeOver();
    await endLeases();
    const [delivery] = await untilStatus(database.dataSource, webhook, 'succeeded');
    expect(delivery?.attempts).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expectAtMostOneDuplicate(receiver);
    await receiver.close();
  });
});

it('a worker that is asked to stop finishes its deliveries in flight and exits with 0', async () => {
  const receiver = await WebhookReceiver.start((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 600);
  });
  const webhook = await register(client, receiver.url);
  await emit(database.dataSource, accountId);
  await receiver.gets(1);
  const asked = performance.now();
  expect(await worker.end('SIGTERM')).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
  await untilStatus(database.dataSource, webhook, 'succeeded');
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});
