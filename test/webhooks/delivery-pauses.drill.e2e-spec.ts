import { randomBytes } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { WebhookReceiver, type Received } from '../support/webhook-receiver.js';
import { deliveriesOf, emit, register } from './delivery-tools.js';

/** Time limit of an exchange. A lease is twice as long. */
const LIMIT_MS = 1_000;
/** As many as an unknown receiver gets at a time. */
const EVENTS = 5;

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let service: ServiceProcess;
let receivers: WebhookReceiver[];
let webhooks: string[];
let account: Awaited<ReturnType<typeof makeAccount>>;

beforeAll(async () => {
  database = await openTestDatabase();
  service = await startService({
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'all',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_TIME_LIMIT_SECONDS: String(LIMIT_MS / 1000),
    WEBHOOK_RETRY_SCHEDULE: '0,60,60',
  });
});
beforeEach(async () => {
  account = await makeAccount(database.dataSource);
  const client = new ApiClient(service.origin, account.key);
  receivers = await Promise.all([1, 2, 3].map(() => WebhookReceiver.start()));
  webhooks = await Promise.all(receivers.map(({ url }) => register(client, url)));
});
afterEach(() => Promise.all(receivers.map((receiver) => receiver.close())));
afterAll(async () => {
  service.child.kill('SIGCONT');
  await service.end('SIGKILL');
  await database.drop();
});

/** Suspends the service when the receivers have this many requests, and resumes it well after all limits. */
async function pauseWhenReceived(requests: number): Promise<void> {
  await eventually(() => received().length >= requests);
  service.child.kill('SIGSTOP');
  await pass(LIMIT_MS * 4);
  service.child.kill('SIGCONT');
}

/** For different documents, so all are sent concurrently. */
async function emitEvents(): Promise<void> {
  for (let sent = 0; sent < EVENTS; sent += 1) await emit(database.dataSource, account.accountId);
}

const received = (): Received[] => receivers.flatMap((receiver) => receiver.received);

/**
 * Expects that every delivery succeeded at its first attempt and arrived at most twice, and that no circuit counts a
 * failure.
 */
async function expectNoneFailed(): Promise<void> {
  for (const webhook of webhooks) {
    const deliveries = await eventually(
      () => deliveriesOf(database.dataSource, webhook),
      (rows) => rows.length === EVENTS && rows.every(({ status }) => status === 'succeeded'),
    );
    expect(new Set(deliveries.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  }
  const [failures] = await database.dataSource.query<object[]>(
    `SELECT count(*)::integer AS failed FROM webhook_delivery_attempts AS attempt
       JOIN webhook_deliveries AS delivery ON delivery.id = attempt.delivery_id
      WHERE webhook_id = ANY ($1) AND error_class IS NOT NULL`,
    [webhooks],
  );
  expect(failures).toEqual({ failed: 0 });
  const health = await database.dataSource.query<object[]>(
    'SELECT consecutive_failures, circuit_opened_at FROM webhooks WHERE id = ANY ($1)',
    [webhooks],
  );
  expect(health).toEqual(
    webhooks.map(() => ({ consecutive_failures: 0, circuit_opened_at: null })),
  );
  const times = new Map<string, number>();
  for (const { headers } of received()) {
    const key = `${String(headers['host'])} ${String(headers['webhook-id'])}`;
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  expect(times.size).toBe(EVENTS * webhooks.length);
  expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
}

describe('A worker that was stopped for longer than its time limits', () => {
  it('A worker that was stopped for longer than its time limits counts responses that arrived in the meantime as what they are, and sends nothing again', async () => {
    for (const receiver of receivers) {
      receiver.behave((_, response) => setTimeout(() => response.writeHead(204).end(), 400));
    }
    const paused = pauseWhenReceived(EVENTS * receivers.length);
    await emitEvents();
    await paused;
    await expectNoneFailed();
    expect(received()).toHaveLength(EVENTS * receivers.length);
  });

  it('A worker that was stopped for longer than its time limits repeats attempts whose connections broke in the meantime, without counting them', async () => {
    let slept = false;
    for (const receiver of receivers) {
      receiver.behave((_, response) => {
        if (slept) response.writeHead(204).end();
        else setTimeout(() => response.destroy(), 400);
      });
    }
    const paused = pauseWhenReceived(EVENTS * receivers.length);
    await emitEvents();
    await eventually(() => received().length >= EVENTS * receivers.length);
    await pass(LIMIT_MS * 2);
    slept = true;
    await paused;
    await expectNoneFailed();
  });
});
