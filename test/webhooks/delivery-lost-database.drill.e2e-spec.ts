import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { deliveriesOf, register } from './delivery-tools.js';

let database: TestDatabase;
let proxy: TcpProxy;
let direct: TestApp;
let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await TcpProxy.start(Number(url.port), url.hostname);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  direct = await startTestApp({ databaseUrl: database.url });
  app = await startTestApp({
    databaseUrl: url.href,
    environment: { PROCESS_ROLE: 'all', WEBHOOK_CONCURRENCY: '5' },
    stopClock: false,
  });
});
afterAll(async () => {
  await app.close();
  await direct.close();
  await proxy.close();
  await receiver.close();
  await database.drop();
});

it('deliveries in flight when the database becomes unavailable are recorded when it is back, and all others follow within 10 seconds', async () => {
  const account = await direct.account();
  const duringOutage: (() => void)[] = [];
  receiver = await WebhookReceiver.start((_, response) =>
    duringOutage.push(() => response.writeHead(204).end()),
  );
  const webhook = await register(account.api, receiver.url);
  for (let made = 0; made < 20; made += 1) await account.api.createDocument({ title: 'Owed' });
  await receiver.gets(5);
  await proxy.cut();
  for (const send of duringOutage.splice(0)) send();
  receiver.behave((_, response) => response.writeHead(204).end());
  // They commit while the worker cannot see them.
  for (let made = 0; made < 20; made += 1) await account.api.createDocument({ title: 'More' });
  await proxy.restore();
  const restored = performance.now();
  const rows = await eventually(
    () => deliveriesOf(direct.dataSource, webhook),
    (all) => all.every(({ status }) => status === 'succeeded'),
  );
  expect(performance.now() - restored).toBeLessThan(10_000);
  expect(rows).toHaveLength(40);
  // The five in progress were acknowledged as soon as possible and not sent again.
  expect(receiver.received).toHaveLength(40);
  // It listens again, so new commits are sent immediately.
  const committed = performance.now();
  await account.api.createDocument({ title: 'Afterwards' });
  await receiver.gets(41);
  expect(performance.now() - committed).toBeLessThan(1_000);
});
