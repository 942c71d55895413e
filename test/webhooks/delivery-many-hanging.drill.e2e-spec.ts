import { startTestApp, type TestApp } from '../support/app.js';
import { hang, WebhookReceiver } from '../support/webhook-receiver.js';
import { emit, register } from './delivery-tools.js';

const ACCOUNTS = 4;
const HANGING = 400;
const EVENTS = 10;
const TIME_LIMIT_S = 30;

let app: TestApp;
let dead: WebhookReceiver;
let healthy: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_TIME_LIMIT_SECONDS: String(TIME_LIMIT_S) },
    stopClock: false,
  });
  dead = await WebhookReceiver.start(hang);
  healthy = await WebhookReceiver.start();
});
afterAll(async () => {
  await dead.close();
  await healthy.close();
  await app.close();
});

async function waitOfOne(accountId: string): Promise<number> {
  const before = healthy.received.length;
  const committedAt = performance.now();
  await emit(app.dataSource, accountId);
  await healthy.gets(before + 1, TIME_LIMIT_S * 1_000);
  return performance.now() - committedAt;
}

it('four hundred receivers that start to hang at once delay no other receiver, whether or not it has received anything before', async () => {
  const [known, fresh] = [await app.account(), await app.account()];
  await register(known.api, healthy.url);
  await register(fresh.api, healthy.url);
  await waitOfOne(known.accountId);
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
  const waits = [await waitOfOne(fresh.accountId)];
  for (let made = 0; made < 20; made += 1) waits.push(await waitOfOne(known.accountId));
  expect(Math.max(...waits)).toBeLessThan(3_000);
  // They are still hanging, so the result is not due to timeouts.
  expect(dead.underWay).toBeGreaterThanOrEqual(HANGING);
});
