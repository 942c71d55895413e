import { startTestApp, type TestApp } from '../support/app.js';
import { respondWith, hang, WebhookReceiver } from '../support/webhook-receiver.js';
import { drillCount } from '../support/drills.js';
import { eventually } from '../support/eventually.js';
import { deliveriesOf, emit, passWaits, register, untilStatus } from './delivery-tools.js';

const BACKLOG = drillCount({ small: 4_000, full: 20_000 });

const ACCOUNTS = 4;
const HANGING = 400;
const EVENTS = 10;
const TIME_LIMIT_S = 30;
const DELIVERIES = 400;

const FEW = {
  WEBHOOK_CONCURRENCY: '6',
  WEBHOOK_TIME_LIMIT_SECONDS: '1',
  WEBHOOK_RETRY_SCHEDULE: '0,60,60,60,60,60',
};

/** The first one owns the database. */
const apps: TestApp[] = [];
let app: TestApp;
afterEach(async () => {
  for (const one of apps.splice(0).toReversed()) await one.close();
});

/** Starts a service with a worker, on the database of the first one. */
async function start(environment: Record<string, string>): Promise<TestApp> {
  const [first] = apps;
  const started = await startTestApp({
    environment: { PROCESS_ROLE: 'all', ...environment },
    stopClock: false,
    ...(first && { databaseUrl: (first.dataSource.options as { url: string }).url }),
  });
  apps.push(started);
  return started;
}

interface Circuit {
  failures: number;
  isOpen: boolean;
  probeIn: number | null;
  /** Number of deliveries that a worker holds. */
  held: number;
}

async function circuitOf(webhookId: string): Promise<Circuit | undefined> {
  const [row] = await app.dataSource.query<Circuit[]>(
    `SELECT consecutive_failures AS failures, circuit_opened_at IS NOT NULL AS "isOpen",
            extract(epoch FROM circuit_probe_at - clock_timestamp())::float8 AS "probeIn",
            (SELECT count(*)::integer FROM webhook_deliveries
              WHERE webhook_id = webhooks.id AND lease_expires_at IS NOT NULL) AS held
       FROM webhooks WHERE id = $1`,
    [webhookId],
  );
  return row;
}

it('a receiver that hangs uses its share of connections and delays no other receiver', async () => {
  app = await start(FEW);
  const dead = await WebhookReceiver.start(hang);
  const healthy = await WebhookReceiver.start();
  const [one, other] = [await app.account(), await app.account()];
  await register(one.api, dead.url);
  for (let made = 0; made < BACKLOG; made += 2_000) {
    await app.dataSource.query(
      `INSERT INTO events (id, account_id, type, subject_id, full_body, thin_body, created_at)
         SELECT uuid_v7(), $1, 'document.updated', uuid_v7(), '{}', '{}', now() FROM generate_series(1, 2000)`,
      [one.accountId],
    );
  }
  await dead.gets(6);
  for (let index = 0; index < 20; index += 1) await register(other.api, healthy.url);
  for (let round = 1; round <= 5; round += 1) {
    const committed = performance.now();
    await emit(app.dataSource, other.accountId);
    await healthy.gets(round * 20);
    expect(performance.now() - committed).toBeLessThan(2_000);
  }
  expect(dead.mostUnderWay).toBeLessThanOrEqual(6);
  await Promise.all([dead.close(), healthy.close()]);
});

it('the circuit of a receiver opens after ten consecutive failures, lets one probe at a time through, and closes after a success', async () => {
  app = await start(FEW);
  const receiver = await WebhookReceiver.start(respondWith(500));
  const { api, accountId } = await app.account();
  const webhook = await register(api, receiver.url);
  for (let index = 0; index < 40; index += 1) await emit(app.dataSource, accountId);
  const open = await eventually(
    () => circuitOf(webhook),
    // The results of all attempts that started before it opened are stored.
    (circuit) =>
      circuit?.isOpen === true &&
      circuit.held === 0 &&
      circuit.failures === receiver.received.length,
  );
  expect(open?.failures).toBeGreaterThanOrEqual(10);
  expect(open?.probeIn).toBeGreaterThan(0);
  const before = receiver.received.length;
  expect(before).toBeLessThanOrEqual(10 + 2 * 6);
  // Waiting deliveries have not used an attempt.
  const untouched = (await deliveriesOf(app.dataSource, webhook)).filter(
    ({ attempts }) => attempts === 0,
  );
  expect(untouched).toHaveLength(40 - before);

  receiver.mostUnderWay = 0;
  await passWaits(app.dataSource);
  await receiver.gets(before + 1);
  const after = await eventually(
    () => circuitOf(webhook),
    (circuit) => circuit?.failures === (open?.failures ?? 0) + 1,
  );
  expect(after?.isOpen).toBe(true);
  expect(receiver.received).toHaveLength(before + 1);

  receiver.behave((_, response) => setTimeout(() => response.writeHead(204).end(), 50));
  await passWaits(app.dataSource);
  await untilStatus(
    app.dataSource,
    webhook,
    ...Array.from({ length: 40 }, () => 'succeeded' as const),
  );
  expect(await circuitOf(webhook)).toMatchObject({ failures: 0, isOpen: false, probeIn: null });
  const [probe, next] = receiver.received.slice(before + 1);
  expect((next?.at ?? 0) - (probe?.at ?? 0)).toBeGreaterThanOrEqual(45);
  expect(receiver.mostUnderWay).toBe(6);
  await receiver.close();
});

async function waitOfOne(healthy: WebhookReceiver, accountId: string): Promise<number> {
  const before = healthy.received.length;
  const committedAt = performance.now();
  await emit(app.dataSource, accountId);
  await healthy.gets(before + 1, TIME_LIMIT_S * 1_000);
  return performance.now() - committedAt;
}

it('four hundred receivers that start to hang at once delay no other receiver, whether or not it has received anything before', async () => {
  app = await start({ WEBHOOK_TIME_LIMIT_SECONDS: String(TIME_LIMIT_S) });
  const [dead, healthy] = [await WebhookReceiver.start(hang), await WebhookReceiver.start()];
  const [known, fresh] = [await app.account(), await app.account()];
  await register(known.api, healthy.url);
  await register(fresh.api, healthy.url);
  await waitOfOne(healthy, known.accountId);
  const hanging: string[] = [];
  for (let made = 0; made < ACCOUNTS; made += 1) {
    const { api, accountId } = await app.account();
    hanging.push(accountId);
    for (let index = 0; index < HANGING / ACCOUNTS; index += 1) await register(api, dead.url);
  }
  for (let made = 0; made < EVENTS; made += 1) {
    for (const accountId of hanging) await emit(app.dataSource, accountId);
  }
  await dead.gets(HANGING, TIME_LIMIT_S * 1_000);
  const waits = [await waitOfOne(healthy, fresh.accountId)];
  for (let made = 0; made < 20; made += 1) waits.push(await waitOfOne(healthy, known.accountId));
  expect(Math.max(...waits)).toBeLessThan(3_000);
  // They are still hanging, so the result is not due to timeouts.
  expect(dead.underWay).toBeGreaterThanOrEqual(HANGING);
  await Promise.all([dead.close(), healthy.close()]);
});

async function attemptsOf({ origin }: TestApp): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(
    /^webhook_attempts_total\{.*outcome="succeeded".*\} (\d+)/m.exec(metrics)?.[1] ?? 0,
  );
}

it('two workers share the deliveries of one webhook, from the moment the second one starts', async () => {
  const first = await start({ WEBHOOK_CONCURRENCY: '8' });
  const receiver = await WebhookReceiver.start((_, response) =>
    setTimeout(() => response.writeHead(204).end(), 20),
  );
  const { api, accountId } = await first.account();
  await register(api, receiver.url);
  const second = await start({ WEBHOOK_CONCURRENCY: '8' });
  for (let made = 0; made < DELIVERIES; made += 1) await emit(first.dataSource, accountId);
  await receiver.gets(DELIVERIES);
  expect(receiver.mostUnderWay).toBeLessThanOrEqual(8);
  for (const worker of [first, second]) {
    expect(await attemptsOf(worker)).toBeGreaterThan(0.3 * DELIVERIES);
  }
  await receiver.close();
});
