import { Webhook } from 'standardwebhooks';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { respondWith, inTurn, WebhookReceiver } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { deliveriesOf, passWaits, register, untilStatus } from './delivery-tools.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all', WEBHOOK_RETRY_SCHEDULE: '0,0.4,300' },
    stopClock: false,
  });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(() => app.close());

describe('a delivery that fails', () => {
  it('a delivery that fails is retried after the next wait of the schedule, plus or minus a fifth, with the same ID and bytes and a new signature', async () => {
    receiver.behave(inTurn(respondWith(500), respondWith(204)));
    const { api } = await app.account();
    const webhook = await register(api, receiver.url, { secret: SECRET });
    await api.createDocument({ title: 'Again', content: 'ä'.repeat(1_000) });
    const [first, second] = await receiver.gets(2);
    if (!first || !second) throw new Error('too few');
    const waited = second.at - first.at;
    expect(waited).toBeGreaterThan(320);
    // attempt-outcome.spec.ts tests the exact upper bound. This test checks the step of the schedule.
    expect(waited).toBeLessThan(480 + 10_000);
    expect(second.bytes).toEqual(first.bytes);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    for (const { text, headers } of [first, second]) new Webhook(SECRET).verify(text, headers);
    const [delivery] = await untilStatus(app.dataSource, webhook, 'succeeded');
    expect(delivery).toMatchObject({ attempts: 2, last_error_class: null });
  });

  it('a delivery that fails uses the whole schedule and then fails permanently', async () => {
    receiver.behave(respondWith(503));
    const { api } = await app.account();
    const webhook = await register(api, receiver.url);
    await api.createDocument({ title: 'Never' });
    await receiver.gets(2);
    const [waiting] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 2,
    );
    expect(waiting?.wait).toBeGreaterThan(230_000);
    expect(waiting?.wait).toBeLessThan(361_000);
    await passWaits(app.dataSource);
    const [failed] = await untilStatus(app.dataSource, webhook, 'failed');
    expect(failed).toMatchObject({ attempts: 3, last_error_class: 'status_busy' });
    expect(receiver.received).toHaveLength(3);

    // A resent delivery gets the whole schedule again.
    const ids = [encodeId('webhook', webhook), encodeId('delivery', failed?.id ?? '')] as const;
    expectSuccess(await api.redeliver(...ids), 202);
    await receiver.gets(5);
    const [again] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 5,
    );
    expect(again?.status).toBe('pending');
    expect(again?.wait).toBeGreaterThan(230_000);
  });

  it('a delivery that fails with 429 waits as long as the receiver requests', async () => {
    receiver.behave(inTurn(respondWith(429, { 'retry-after': '1' }), respondWith(204)));
    const { api } = await app.account();
    const webhook = await register(api, receiver.url);
    await api.createDocument({ title: 'Busy' });
    const [first, second] = await receiver.gets(2);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    await untilStatus(app.dataSource, webhook, 'succeeded');
  });

  it('a delivery that fails with 503 waits until the time that the receiver sends, at most a day', async () => {
    receiver.behave(respondWith(503, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }));
    const { api } = await app.account();
    const webhook = await register(api, receiver.url);
    await api.createDocument({ title: 'Later' });
    const [waiting] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 1,
    );
    expect(waiting?.wait).toBeGreaterThan(23.9 * 3_600_000);
    expect(waiting?.wait).toBeLessThan(24 * 1.2 * 3_600_000);
  });

  it('a delivery that fails with 503 waits by the clock of the receiver if that is wrong', async () => {
    receiver.behave(
      respondWith(503, {
        date: 'Thu, 01 Jan 2015 00:00:00 GMT',
        'retry-after': 'Thu, 01 Jan 2015 00:10:00 GMT',
      }),
    );
    const { api } = await app.account();
    const webhook = await register(api, receiver.url);
    await api.createDocument({ title: 'Later' });
    const [waiting] = await eventually(
      () => deliveriesOf(app.dataSource, webhook),
      ([delivery]) => delivery?.attempts === 1,
    );
    expect(waiting?.wait).toBeGreaterThan(590_000);
    expect(waiting?.wait).toBeLessThanOrEqual(720_000);
  });

  it('a delivery that fails does not affect the other deliveries of its webhook', async () => {
    receiver.behave(({ event }, response) =>
      response.writeHead(event.data.document.title === 'Poison' ? 400 : 204).end(),
    );
    const { api } = await app.account();
    const webhook = await register(api, receiver.url);
    for (const title of ['Poison', 'One', 'Two']) await api.createDocument({ title });
    await untilStatus(app.dataSource, webhook, 'pending', 'succeeded', 'succeeded');
  });
});
