import { startTestApp, type TestApp } from '../support/app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { emit, register } from './delivery-tools.js';

const DELIVERIES = 400;

const apps: TestApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0).toReversed()) await app.close();
});

async function startWorker(): Promise<TestApp> {
  const [first] = apps;
  const app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_CONCURRENCY: '8' },
    stopClock: false,
    ...(first && { databaseUrl: (first.dataSource.options as { url: string }).url }),
  });
  apps.push(app);
  return app;
}

async function attemptsOf({ origin }: TestApp): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return Number(
    /^webhook_attempts_total\{.*outcome="succeeded".*\} (\d+)/m.exec(metrics)?.[1] ?? 0,
  );
}

it('two workers share the deliveries of one webhook, from the moment the second one starts', async () => {
  const first = await startWorker();
  const receiver = await WebhookReceiver.start((_, response) =>
    setTimeout(() => response.writeHead(204).end(), 20),
  );
  const { api, accountId } = await first.account();
  await register(api, receiver.url);
  const second = await startWorker();
  for (let made = 0; made < DELIVERIES; made += 1) await emit(first.dataSource, accountId);
  await receiver.gets(DELIVERIES);
  expect(receiver.mostUnderWay).toBeLessThanOrEqual(8);
  for (const worker of [first, second]) {
    expect(await attemptsOf(worker)).toBeGreaterThan(0.3 * DELIVERIES);
  }
  await receiver.close();
});
