import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { answer, inTurn, WebhookReceiver, type Behaviour } from '../support/webhook-receiver.js';
import { deliveriesOf, emit, passWaits, register, untilStatus } from './delivery-tools.js';

const HOUR_MS = 3_600_000;
const environment = {
  PROCESS_ROLE: 'all',
  WEBHOOK_TIME_LIMIT_SECONDS: '10',
  WEBHOOK_RETRY_SCHEDULE: '0,1,60',
};

/** Their clocks only move when a test moves them. The database's clock runs, months ahead of them. */
let app: TestApp;
let other: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({ environment });
  const { url } = app.dataSource.options as { url: string };
  other = await startTestApp({ environment, databaseUrl: url });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(async () => {
  await other.close();
  await app.close();
});

function jump(milliseconds: number): void {
  for (const { clock } of [app, other]) clock.advance(milliseconds);
}

/** Resolves when workers have handled everything that is due now, which a later delivery shows. */
async function passWorkers(): Promise<void> {
  const witness = await WebhookReceiver.start();
  const { api, accountId } = await app.account();
  await register(api, witness.url);
  await app.dataSource.query(`NOTIFY webhook_deliveries, ''`);
  for (let passed = 1; passed <= 5; passed += 1) {
    await emit(app.dataSource, accountId);
    await witness.gets(passed);
  }
  await witness.close();
}

describe.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('when the clocks of the processes jump an hour %s', (_, by) => {
  it('the next attempt follows its schedule, and its signature has the new time', async () => {
    receiver.behave(inTurn(answer(500), answer(204)));
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await emit(app.dataSource, accountId);
    await receiver.gets(1);
    const at = app.clock.now().getTime();
    jump(by);
    const [first, second] = await receiver.gets(2);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(800);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(10_000);
    expect(first?.headers['webhook-timestamp']).toBe(String(Math.floor(at / 1000)));
    expect(second?.headers['webhook-timestamp']).toBe(String(Math.floor((at + by) / 1000)));
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    const [delivery] = await untilStatus(app.dataSource, webhook, 'succeeded');
    expect(delivery?.attempts).toBe(2);
  });

  it('a delivery in flight stays with its worker, which can acknowledge it', async () => {
    let finish: () => void = () => undefined;
    receiver.behave((_received, response) => (finish = () => response.writeHead(204).end()));
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await emit(app.dataSource, accountId);
    await receiver.gets(1);
    jump(by);
    await passWorkers();
    finish();
    const [delivery] = await untilStatus(app.dataSource, webhook, 'succeeded');
    expect(delivery?.attempts).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('an open circuit stays open until its probe is due', async () => {
    receiver.behave(answer(500));
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    for (let index = 0; index < 40; index += 1) await emit(app.dataSource, accountId);
    const probeIn = async () => {
      const [row] = await app.dataSource.query<{ wait: number | null }[]>(
        `SELECT extract(epoch FROM circuit_probe_at - clock_timestamp())::float8 AS wait FROM webhooks WHERE id = $1`,
        [webhook],
      );
      return row?.wait ?? null;
    };
    const failures = async () => {
      const [row] = await app.dataSource.query<{ failures: number }[]>(
        `SELECT consecutive_failures AS failures FROM webhooks WHERE id = $1 AND NOT EXISTS (
           SELECT FROM webhook_deliveries WHERE webhook_id = webhooks.id AND lease_expires_at IS NOT NULL)`,
        [webhook],
      );
      return row?.failures ?? 0;
    };
    // The results of all attempts that started before it opened are stored.
    await eventually(failures, (count) => count >= 10 && count === receiver.received.length);
    // As if it had been open for a while.
    await app.dataSource.query(
      `UPDATE webhooks SET circuit_probe_at = clock_timestamp() + interval '1 minute' WHERE id = $1`,
      [webhook],
    );
    const before = receiver.received.length;
    jump(by);
    await passWorkers();
    expect(receiver.received).toHaveLength(before);
    const wait = await probeIn();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    receiver.behave(answer(204));
    await passWaits(app.dataSource);
    await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      (rows) => rows.every(({ status }) => status === 'succeeded'),
    );
    expect(await probeIn()).toBeNull();
  });

  it('a receiver that sends a time is waited for by its own clock', async () => {
    const busy: Behaviour = (_received, response) => {
      const now = Date.now();
      response
        .writeHead(503, {
          date: new Date(now).toUTCString(),
          'retry-after': new Date(now + 600_000).toUTCString(),
        })
        .end();
    };
    receiver.behave(busy);
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    jump(by);
    await emit(app.dataSource, accountId);
    const [waiting] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 1,
    );
    expect(waiting?.wait).toBeGreaterThan(590_000);
    expect(waiting?.wait).toBeLessThanOrEqual(720_000);
  });
});
