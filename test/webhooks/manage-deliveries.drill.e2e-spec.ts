import { Webhook } from 'standardwebhooks';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import {
  answer,
  hang,
  inTurn,
  WebhookReceiver,
  type Received,
} from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { emit, passWaits } from './delivery-tools.js';
import { create, deliveriesOf, register, type Listed } from './managed-webhook.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

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

const idsOf = (received: readonly Received[]) =>
  received.map(({ headers }) => headers['webhook-id']);

/** Resolves when nothing has started for a second. Fails if something starts more than a second from now. */
async function expectSilence(): Promise<void> {
  const stoppedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const late = receiver.received.filter(({ at }) => at > stoppedAt + 1_000);
  expect(late).toEqual([]);
}

describe('a test', () => {
  it('arrives within a second only at its webhook, signed', async () => {
    const { api } = await app.account();
    const other = await WebhookReceiver.start();
    await register(api, { url: other.url });
    const id = await register(api, {
      url: receiver.url,
      events: ['document.deleted'],
      secret: SECRET,
    });
    const { eventId } = expectSuccess(await api.testWebhook(id), 202) as Listed;
    const [received] = await receiver.gets(1, 1_000);
    expect(received?.headers['webhook-id']).toBe(eventId);
    expect(new Webhook(SECRET).verify(received?.text ?? '', received?.headers ?? {})).toEqual(
      (await api.readEvent(eventId)).body.data,
    );
    const [delivery] = await untilAll(api, id, 'succeeded');
    const read = expectSuccess(await api.readDelivery(id, delivery?.id ?? ''));
    expect(read).toMatchObject({
      attemptCount: 1,
      lastResponseStatus: 204,
      attempts: [
        {
          number: 1,
          responseStatus: 204,
          error: null,
          requestHeaders: { 'webhook-id': eventId, 'content-type': 'application/json' },
        },
      ],
    });
    expect(other.received).toEqual([]);
    await other.close();
  });
});

describe('a redelivery', () => {
  it('has the same ID and bytes and the whole schedule again; attempts keep counting', async () => {
    receiver.behave(answer(500, {}, 'no'));
    const { api } = await app.account();
    const id = await register(api, { url: receiver.url });
    await create(api);
    const [failed] = await untilAll(api, id, 'failed');
    expect(receiver.received).toHaveLength(3);
    await api.redeliver(id, failed?.id ?? '');
    await receiver.gets(6);
    await untilAll(api, id, 'failed');
    expect(receiver.received).toHaveLength(6);
    receiver.behave(answer(204));
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

  it('keeps its form, whatever changes in the webhook', async () => {
    receiver.behave(inTurn(answer(500), answer(204)));
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

describe('a webhook that is disabled or deleted', () => {
  it.each(['disabled', 'deleted'])('when %s receives nothing more after a second', async (how) => {
    receiver.behave(async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      response.writeHead(204).end();
    });
    const { api, accountId } = await app.account();
    const id = await register(api, { url: receiver.url });
    // Each with a different subject, so they do not wait for each other.
    await Promise.all(Array.from({ length: 400 }, () => emit(app.dataSource, accountId)));
    await receiver.gets(40);
    if (how === 'deleted') expectSuccess(await api.deleteWebhook(id));
    else expectSuccess(await api.patchWebhook(id, { status: 'disabled' }));
    await expectSilence();
    expect(receiver.received.length).toBeLessThan(300);
    if (how === 'disabled') {
      const pending = await api.listDeliveries(id, { status: 'pending' });
      expect(pending.body.meta.pagination.total).toBe(0);
    }
  });

  it('receives what was cancelled after it is enabled and recovered', async () => {
    receiver.behave(hang);
    const { api } = await app.account();
    const id = await register(api, { url: receiver.url });
    await create(api, 30);
    await receiver.gets(5);
    await api.patchWebhook(id, { status: 'disabled' });
    // Deliveries in progress are not aborted. On a slow machine they have failed by now, and are cancelled too.
    const waiting = await eventually(
      async () => {
        const cancelled = await api.listDeliveries(id, { status: 'cancelled', limit: 100 });
        return (cancelled.body.data as Listed[]).filter(({ attemptCount }) => attemptCount === 0);
      },
      ({ length }) => length === 30 - receiver.received.length,
    );
    receiver.behave(answer(204));
    await api.patchWebhook(id, { status: 'active' });
    const recovered = await api.recover(id, { since: '2026-01-01T00:00:00Z' });
    expect(recovered.body.data.hasMore).toBe(false);
    expect(recovered.body.data.recovered).toBeGreaterThanOrEqual(waiting.length);
    expect(recovered.body.data.recovered).toBeLessThanOrEqual(30);
    const events = waiting.map(({ eventId }) => eventId);
    await receiver.until(() => events.every((event) => idsOf(receiver.received).includes(event)));
  });
});

describe('a webhook whose receiver moves', () => {
  it('is tried at its new URL immediately, although the old one had failed for long', async () => {
    receiver.behave(answer(500));
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
});
