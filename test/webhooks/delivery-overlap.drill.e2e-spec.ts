import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { respondWith, WebhookReceiver } from '../support/webhook-receiver.js';
import { drillCount } from '../support/drills.js';
import { deliveriesOf, emit, register } from './delivery-tools.js';

/** Time limit of an attempt. A lease is twice as long. */
const LIMIT_MS = 1_000;
/** Of each document. More than are sent while the workers are paused in turn. */
const VERSIONS = drillCount({ small: 80, full: 200 });

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let environment: Record<string, string>;
let workers: ServiceProcess[];
let api: ApiClient;
let account: Awaited<ReturnType<typeof makeAccount>>;

beforeAll(async () => {
  database = await openTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'all',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_TIME_LIMIT_SECONDS: String(LIMIT_MS / 1000),
    WEBHOOK_RETRY_SCHEDULE: '0,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1',
    WEBHOOK_CONCURRENCY: '4',
  };
  workers = await Promise.all([startService(environment), startService(environment)]);
  account = await makeAccount(database.dataSource);
  api = new ApiClient((workers[1] as ServiceProcess).origin, account.key);
});
afterAll(async () => {
  for (const worker of workers) {
    worker.child.kill('SIGCONT');
    await worker.end('SIGKILL');
  }
  await database.drop();
});

/** Suspends a worker for longer than its leases. */
async function pauseWorker(worker: ServiceProcess): Promise<void> {
  worker.child.kill('SIGSTOP');
  await pass(LIMIT_MS * 3);
  worker.child.kill('SIGCONT');
}

describe('the deliveries of one document to one webhook', () => {
  it('the deliveries of one document to one webhook that another worker took over do not count against the receiver', async () => {
    let late: (() => void) | undefined;
    const receiver = await WebhookReceiver.start((received, response) => {
      // Responds to the first attempt with an error after another one has succeeded.
      if (!late) late = () => void respondWith(500)(received, response);
      else response.writeHead(204).end();
    });
    const webhook = await register(api, receiver.url);
    const [paused, other] = workers as [ServiceProcess, ServiceProcess];
    const attempts = () => paused.log().filter(({ msg }) => msg === 'webhook attempt');
    const earlier = attempts().length;
    other.child.kill('SIGSTOP');
    await emit(database.dataSource, account.accountId);
    await receiver.gets(1);
    paused.child.kill('SIGSTOP');
    other.child.kill('SIGCONT');
    await receiver.gets(2);
    await eventually(
      () => deliveriesOf(database.dataSource, webhook),
      ([row]) => row?.status === 'succeeded',
    );
    late?.();
    paused.child.kill('SIGCONT');
    const [attempt] = await eventually(
      () => attempts().slice(earlier),
      ({ length }) => length > 0,
    );
    expect(attempt).toMatchObject({ outcome: 'superseded', status: 500 });
    const metrics = await (await fetch(`${paused.origin}/metrics`)).text();
    expect(metrics).toContain('outcome="superseded",error=""');
    expect(metrics).not.toMatch(/error="status_failed"\} [1-9]/);
    // It has written everything by the time it ends.
    expect(await paused.end()).toBe(0);
    workers[0] = await startService(environment);
    const [health] = await database.dataSource.query<object[]>(
      'SELECT consecutive_failures, failing_since FROM webhooks WHERE id = $1',
      [webhook],
    );
    expect(health).toEqual({ consecutive_failures: 0, failing_since: null });
    const recorded = await database.dataSource.query<object[]>(
      `SELECT number, response_status FROM webhook_delivery_attempts AS attempt
         JOIN webhook_deliveries AS delivery ON delivery.id = attempt.delivery_id WHERE webhook_id = $1 ORDER BY number`,
      [webhook],
    );
    expect(recorded).toEqual([{ number: 1, response_status: 204 }]);
    await receiver.close();
  }, 60_000);

  it('the deliveries of one document to one webhook are never in flight together, even with retries, paused workers and expiring leases', async () => {
    const underWay = new Map<string, number>();
    let overlaps = 0;
    const receiver = await WebhookReceiver.start((received, response) => {
      const of = received.event.data.document.id as string;
      const open = underWay.get(of) ?? 0;
      if (open > 0) overlaps += 1;
      underWay.set(of, open + 1);
      setTimeout(() => {
        underWay.set(of, (underWay.get(of) ?? 1) - 1);
        void respondWith(randomInt(100) < 15 ? 500 : 204)(received, response);
      }, randomInt(20));
    });
    const webhook = await register(api, receiver.url);
    const documents = Array.from({ length: 6 }, () => newUuid());
    const writing = (async () => {
      for (let first = 1; first <= VERSIONS; first += 5) {
        for (const subjectId of documents) {
          await emit(database.dataSource, account.accountId, { subjectId, first, count: 5 });
        }
      }
    })();
    for (const worker of workers) await pauseWorker(worker);
    await writing;
    await eventually(
      () => deliveriesOf(database.dataSource, webhook),
      (rows) => rows.every(({ status }) => status === 'succeeded'),
      60_000,
    );
    await api.deleteWebhook((await api.listWebhooks()).body.data[0].id as string);
    await receiver.close();
    expect(overlaps).toBe(0);
  }, 120_000);
});
