import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { respondWith, inTurn, WebhookReceiver } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { passWaits } from './delivery-tools.js';
import { create, deliveriesOf, register } from './managed-webhook.js';

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      PROCESS_ROLE: 'all',
      WEBHOOK_RETRY_SCHEDULE: '0,0.1,0.1',
      WEBHOOK_TIME_LIMIT_SECONDS: '2',
    },
    stopClock: false,
  });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(() => app.close());

const untilAll = (api: ApiClient, webhook: string, status: string) =>
  eventually(
    () => deliveriesOf(api, webhook),
    (deliveries) => deliveries.length > 0 && deliveries.every((one) => one.status === status),
  );

describe('a redelivery', () => {
  it('a redelivery has the same ID and bytes and the whole schedule again; attempts keep counting', async () => {
    receiver.behave(respondWith(500, {}, 'no'));
    const { api } = await app.account();
    const id = await register(api, { url: receiver.url });
    await create(api);
    const [failed] = await untilAll(api, id, 'failed');
    expect(receiver.received).toHaveLength(3);
    await api.redeliver(id, failed?.id ?? '');
    await receiver.gets(6);
    await untilAll(api, id, 'failed');
    expect(receiver.received).toHaveLength(6);
    receiver.behave(respondWith(204));
    await api.redeliver(id, failed?.id ?? '');
    await untilAll(api, id, 'succeeded');
    const [first, ...others] = receiver.received;
    for (const other of others) {
      expect(other.bytes).toEqual(first?.bytes);
      expect(other.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    }
    const { attempts } = expectSuccess(await api.readDelivery(id, failed?.id ?? '')) as {
      attempts: { number: number; responseBody: string; error: object | null }[];
    };
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(attempts[0]).toMatchObject({
      responseBody: 'no',
      error: {
        class: 'status_failed',
        message: expect.stringMatching(/failed with 500\. Check its log/) as string,
      },
    });
    expect(attempts[6]?.error).toBeNull();
  });

  it('a redelivery keeps its form, whatever changes in the webhook', async () => {
    receiver.behave(inTurn(respondWith(500), respondWith(204)));
    const { api } = await app.account();
    const id = await register(api, { url: receiver.url });
    await create(api);
    await receiver.gets(1);
    await api.patchWebhook(id, { payload: 'thin' });
    await receiver.gets(2);
    await untilAll(api, id, 'succeeded');
    await create(api);
    const [first, second, third] = await receiver.gets(3);
    expect(second?.bytes).toEqual(first?.bytes);
    expect(first?.event.data.document).toHaveProperty('content');
    expect(third?.event.data.document).not.toHaveProperty('content');
  });
});

it('a webhook whose receiver moves is tried at its new URL immediately, although the old one had failed for long', async () => {
  receiver.behave(respondWith(500));
  const { api } = await app.account();
  const id = await register(api, { url: receiver.url });
  const uuid = decodeId('webhook', id);
  await app.dataSource.query(
    `UPDATE webhooks SET failing_since = now(), consecutive_failures = 50, circuit_opened_at = now(),
              circuit_probe_at = now() + interval '1 hour' WHERE id = $1`,
    [uuid],
  );
  const [document] = await create(api);
  const moved = await WebhookReceiver.start();
  expectSuccess(await api.patchWebhook(id, { url: moved.url }));
  const [received] = await moved.gets(1, 5_000);
  expect(received?.event.data.document.id).toBe(document);
  expect(receiver.received).toEqual([]);
  await moved.close();
  await passWaits(app.dataSource);
});
