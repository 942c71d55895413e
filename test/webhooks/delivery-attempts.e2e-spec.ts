import { startTestApp, type TestApp } from '../support/app.js';
import { respondWith, WebhookReceiver, type Received } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { register } from './delivery-tools.js';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { SecretBox } from '../../src/platform/secrets/secret-box.js';
import { expectSuccess } from '../support/envelope.js';

let app: TestApp;
let receiver: WebhookReceiver;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, stopClock: false });
});
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
});
afterEach(() => receiver.close());
afterAll(() => app.close());

interface StoredAttempt {
  number: number;
  started_at: Date;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_excerpt: string | null;
  error_class: string | null;
  error_message: string | null;
}

async function attemptAt(url: string): Promise<StoredAttempt> {
  const { api } = await app.account();
  const webhook = await register(api, url);
  await api.createDocument({ title: 'Recorded' });
  const [attempt] = await eventually(
    () =>
      app.dataSource.query<StoredAttempt[]>(
        `SELECT attempt.* FROM webhook_delivery_attempts AS attempt
           JOIN webhook_deliveries AS delivery ON delivery.id = attempt.delivery_id
          WHERE delivery.webhook_id = $1`,
        [webhook],
      ),
    (rows) => rows.length > 0,
  );
  if (!attempt) throw new Error('no attempt');
  return attempt;
}

describe('the record of an attempt', () => {
  it('the record of an attempt contains what was sent, without any secret, and the response', async () => {
    receiver.behave(
      respondWith(201, { 'x-trace': 'abc', 'set-cookie': 'session=1' }, '{"received":true}'),
    );
    const attempt = await attemptAt(receiver.url);
    const [received] = receiver.received;
    expect(attempt).toMatchObject({
      number: 1,
      response_status: 201,
      response_excerpt: '{"received":true}',
      error_class: null,
      error_message: null,
    });
    expect(attempt.request_headers).toEqual({
      'content-type': 'application/json',
      'user-agent': received?.headers['user-agent'],
      'webhook-id': received?.headers['webhook-id'],
      'webhook-timestamp': received?.headers['webhook-timestamp'],
      'webhook-signature': received?.headers['webhook-signature'],
    });
    expect(attempt.response_headers).toMatchObject({ 'x-trace': 'abc' });
    expect(attempt.response_headers).not.toHaveProperty('set-cookie');
    expect(attempt.duration_ms).toBeGreaterThanOrEqual(0);
    expect(Date.now() - attempt.started_at.getTime()).toBeLessThan(10_000);
  });

  it('the record of an attempt explains in a sentence how to fix a failure', async () => {
    receiver.behave(respondWith(401, {}, 'bad signature'));
    expect(await attemptAt(receiver.url)).toMatchObject({
      response_status: 401,
      response_excerpt: 'bad signature',
      error_class: 'status_refused',
      error_message: expect.stringMatching(/401.*a different secret/) as string,
    });
  });

  it('the record of an attempt contains hostile responses as text of at most 16 KiB', async () => {
    receiver.behave(respondWith(500, { 'x-odd': 'caf\u00e9' }, `\0\u0001${'ü\0'.repeat(40_000)}`));
    const attempt = await attemptAt(receiver.url);
    expect(Buffer.byteLength(attempt.response_excerpt ?? '')).toBeLessThanOrEqual(16 * 1024);
    expect(attempt.response_excerpt?.slice(0, 5)).toBe('\ufffd\u0001ü\ufffdü');
  });

  it('the record of an attempt of an unreachable receiver has no response', async () => {
    const { url } = receiver;
    await receiver.close();
    expect(await attemptAt(url)).toMatchObject({
      response_status: null,
      response_headers: null,
      response_excerpt: null,
      error_class: 'connect_refused',
      error_message: expect.stringMatching(/Start the receiver/) as string,
    });
    receiver = await WebhookReceiver.start();
  });
});

it('a webhook shows the time of its last delivery', async () => {
  const { api } = await app.account();
  await register(api, receiver.url);
  const shown = async () => (await api.listWebhooks()).body.data[0].lastDeliveryAt as unknown;
  expect(await shown()).toBeNull();
  await api.createDocument({ title: 'Delivered' });
  const at = await eventually(shown, (value) => value !== null);
  expect(Math.abs(Date.now() - Date.parse(String(at)))).toBeLessThan(10_000);
});

it('the metrics count attempts by outcome and error, and measure the queue', async () => {
  receiver.behave(respondWith(500));
  await attemptAt(receiver.url);
  const text = (await app.api().send('GET', '/metrics')).text;
  expect(text).toMatch(/^webhook_attempts_total\{outcome="retry",error="status_failed"\} [1-9]/m);
  expect(text).toMatch(/^webhook_attempts_total\{outcome="succeeded",error=""\} [1-9]/m);
  expect(text).toMatch(/^webhook_deliveries_pending [1-9]/m);
  expect(text).toMatch(/^webhook_oldest_due_seconds [0-9]/m);
  expect(text).toMatch(/^webhook_attempt_duration_seconds_count [1-9]/m);
  expect(text).toMatch(/^webhook_delivery_wait_seconds_count [1-9]/m);
});

const TEXT_SECRET = 'a text secret, as it stands: ~!"#';
const WHSEC_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function verify({ text, headers }: Received, secret: string): unknown {
  const raw = secret.startsWith('whsec_') ? {} : ({ format: 'raw' } as const);
  const standard = new StandardWebhook(secret, raw).verify(text, headers);
  const svix = new SvixWebhook(
    secret.startsWith('whsec_') ? secret : Buffer.from(secret).toString('base64'),
  ).verify(text, {
    'svix-id': headers['webhook-id'] ?? '',
    'svix-timestamp': headers['webhook-timestamp'] ?? '',
    'svix-signature': headers['webhook-signature'] ?? '',
  });
  expect(svix).toEqual(standard);
  return standard;
}

describe('a delivery', () => {
  it.each([TEXT_SECRET, WHSEC_SECRET])(
    'a delivery is the event itself, signed so that the published libraries accept it, with the secret %s',
    async (secret) => {
      const { api } = await app.account();
      expectSuccess(
        await api.registerWebhook({ url: receiver.url, events: ['document.*'], secret }),
        201,
      );
      const made = await api.createDocument({
        title: 'Signed: äöü 文書 🎉',
        content: 'line\r\nline',
      });
      const [received] = await receiver.gets(1);
      if (!received) throw new Error('nothing was received');
      expect(received.method).toBe('POST');
      expect(received.path).toBe('/webhooks');
      expect(received.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': expect.stringContaining('Document-Service') as string,
      });
      const event = verify(received, secret) as { id: string };
      expect(received.headers['webhook-id']).toBe(event.id);
      expect(event).toMatchObject({ type: 'document.created', data: { document: made.body.data } });
      expect(received.text).toBe(JSON.stringify((await api.readEvent(event.id)).body.data));
    },
  );

  it('a delivery is signed with both secrets while a rotation overlaps, and with the new one after it', async () => {
    const { api } = await app.account();
    const id = await register(api, receiver.url, { secret: WHSEC_SECRET });
    const rotate = (ends: string) =>
      app.dataSource.query(
        `UPDATE webhooks SET previous_secret_encrypted = $2, previous_secret_expires_at = now() + $3::interval
          WHERE id = $1`,
        [id, app.app.get(SecretBox, { strict: false }).seal(TEXT_SECRET, id), ends],
      );
    await rotate('1 hour');
    await api.createDocument({ title: 'Overlapping' });
    const [during] = await receiver.gets(1);
    await rotate('-1 second');
    await api.createDocument({ title: 'Rotated' });
    const [, after] = await receiver.gets(2);
    if (!during || !after) throw new Error('too few were received');
    verify(during, WHSEC_SECRET);
    verify(during, TEXT_SECRET);
    verify(after, WHSEC_SECRET);
    expect(() => verify(after, TEXT_SECRET)).toThrow();
  });
});
