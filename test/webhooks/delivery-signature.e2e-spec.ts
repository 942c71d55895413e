import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { WebhookReceiver, type Received } from '../support/webhook-receiver.js';
import { register } from './delivery-tools.js';

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
    'is the event itself, signed so that the published libraries accept it, with the secret %s',
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

  it('is signed with both secrets while a rotation overlaps, and with the new one after it', async () => {
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
