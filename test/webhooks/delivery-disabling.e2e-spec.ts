import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { respondWith, hang, inTurn, WebhookReceiver } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { deliveriesOf, emit, passWaits, register, untilStatus } from './delivery-tools.js';

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      PROCESS_ROLE: 'all',
      WEBHOOK_RETRY_SCHEDULE: '0,60,60',
      WEBHOOK_CONCURRENCY: '2',
    },
    stopClock: false,
  });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(() => app.close());

describe('a webhook whose receiver returns 410', () => {
  it('a webhook whose receiver returns 410 is disabled, its other deliveries are cancelled, and the account is notified', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url, { events: ['*'] });
    const watcher = await WebhookReceiver.start();
    await register(api, watcher.url, { events: ['webhook.*'] });
    receiver.behave(inTurn(respondWith(503), respondWith(410)));
    await emit(app.dataSource, accountId);
    await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 1,
    );
    await emit(app.dataSource, accountId);
    await untilStatus(app.dataSource, webhook, 'cancelled', 'failed');
    const shown = expectSuccess(await api.readWebhook(encodeId('webhook', webhook)));
    expect(shown).toMatchObject({
      status: 'disabled',
      disabledReason: expect.stringMatching(/410 Gone/) as string,
    });
    const [told] = await watcher.gets(1);
    expect(told?.event).toMatchObject({
      type: 'webhook.disabled',
      apiVersion: 'v1',
      data: { webhook: shown },
      actor: null,
      requestId: null,
    });
    // One event, and none sent to the webhook itself.
    const events = expectSuccess(await api.listEvents()) as { type: string }[];
    expect(events.filter(({ type }) => type === 'webhook.disabled')).toHaveLength(1);
    expect(receiver.received).toHaveLength(2);
    await watcher.close();
  });

  it('a webhook whose receiver returns 410 stays active if its URL has changed, and the new URL gets the delivery', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    const moved = await WebhookReceiver.start();
    receiver.behave((received, response) => {
      void api
        .patchWebhook(encodeId('webhook', webhook), { url: moved.url })
        .then(() => respondWith(410)(received, response));
    });
    await emit(app.dataSource, accountId);
    await untilStatus(app.dataSource, webhook, 'succeeded');
    expect(moved.received).toHaveLength(1);
    expect(expectSuccess(await api.readWebhook(encodeId('webhook', webhook)))).toMatchObject({
      status: 'active',
      disabledReason: null,
    });
    await moved.close();
  });
});

describe('a webhook that has failed for five days', () => {
  const failFor = (webhook: string, age: string) =>
    app.dataSource.query(
      `UPDATE webhooks SET failing_since = clock_timestamp() - $2::interval, consecutive_failures = 1 WHERE id = $1`,
      [webhook, age],
    );

  it('a webhook that has failed for five days is disabled on its next failure, not before', async () => {
    receiver.behave(respondWith(500));
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await failFor(webhook, '4 days 23 hours');
    await emit(app.dataSource, accountId);
    const [waiting] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 1,
    );
    expect(waiting?.status).toBe('pending');
    await failFor(webhook, '5 days');
    await passWaits(app.dataSource);
    await untilStatus(app.dataSource, webhook, 'failed');
    expect(expectSuccess(await api.readWebhook(encodeId('webhook', webhook)))).toMatchObject({
      status: 'disabled',
      disabledReason: expect.stringMatching(/5 days.*failed with 500/) as string,
    });
  });

  it('a webhook that has failed for five days recovers with one success', async () => {
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    await failFor(webhook, '6 days');
    await emit(app.dataSource, accountId);
    await untilStatus(app.dataSource, webhook, 'succeeded');
    receiver.behave(respondWith(500));
    await eventually(
      () =>
        app.dataSource.query<object[]>('SELECT failing_since FROM webhooks WHERE id = $1', [
          webhook,
        ]),
      ([row]) => JSON.stringify(row) === '{"failing_since":null}',
    );
    await emit(app.dataSource, accountId);
    await untilStatus(app.dataSource, webhook, 'succeeded', 'pending');
  });
});

describe('a webhook that is disabled or deleted', () => {
  it.each([
    ['deleted', (id: string) => `DELETE FROM webhooks WHERE id = '${id}'`],
    ['disabled', (id: string) => `UPDATE webhooks SET status = 'disabled' WHERE id = '${id}'`],
  ])(
    'a webhook that is disabled or deleted by being %s receives nothing more, and its pending deliveries are cancelled',
    async (_, statement) => {
      const { api, accountId } = await app.account();
      const responses: (() => void)[] = [];
      receiver.behave((__, response) => responses.push(() => response.writeHead(500).end()));
      const webhook = await register(api, receiver.url);
      for (let index = 0; index < 10; index += 1) await emit(app.dataSource, accountId);
      await receiver.gets(2);
      await app.dataSource.query(statement(webhook));
      for (const send of responses) send();
      await passWaits(app.dataSource);
      const rows = await eventually(
        () => deliveriesOf(app.dataSource, webhook),
        (all) => all.every(({ status }) => status === 'cancelled'),
      );
      expect(rows).toHaveLength(10);
      expect(receiver.received).toHaveLength(2);
    },
  );

  it('a webhook that is disabled or deleted by the API during a delivery is not retried', async () => {
    receiver.behave(hang);
    const { api, accountId } = await app.account();
    const webhook = await register(api, receiver.url);
    for (let index = 0; index < 5; index += 1) await emit(app.dataSource, accountId);
    await receiver.gets(2);
    expectSuccess(await api.deleteWebhook(encodeId('webhook', webhook)));
    const { port } = receiver;
    await receiver.close();
    receiver = await WebhookReceiver.start(respondWith(204), port);
    await passWaits(app.dataSource);
    expect(receiver.received).toHaveLength(0);
  });
});
