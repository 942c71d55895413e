import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../src/features/webhooks/signing/signature.js';
import {
  verifyWebhook,
  WebhookVerificationError,
  type ReceivedWebhook,
} from '@document-service/client';

const NOW = new Date('2026-03-01T12:00:00.500Z');
const EVENT = { id: 'evt_1', type: 'document.created', data: { document: { title: 'ü ✓' } } };
const PAYLOAD = JSON.stringify(EVENT);
const SECRET = 'correct horse battery staple';
const MADE = `whsec_${Buffer.from('thirty-two bytes of a made secret').toString('base64')}`;

/** Returns a delivery, signed as by the service. */
function delivery(
  secrets: readonly string[],
  at = NOW,
): { payload: string; headers: Record<string, string> } {
  const headers = signatureHeaders('evt_1', Buffer.from(PAYLOAD), secrets, at);
  return { payload: PAYLOAD, headers: { ...headers } };
}

const refused = async (received: ReceivedWebhook): Promise<string> => {
  const error: unknown = await verifyWebhook(received).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return (error as Error).message;
};

describe('verifyWebhook', () => {
  it.each([SECRET, MADE, 'ünï', `whsec_${Buffer.from([251, 255, 254]).toString('base64')}`])(
    'verifyWebhook returns the event of a delivery signed with %s',
    async (secret) => {
      expect(await verifyWebhook({ ...delivery([secret]), secret, now: NOW })).toEqual(EVENT);
    },
  );

  it('verifyWebhook accepts the body as text and as bytes, and headers in every form', async () => {
    const { headers } = delivery([SECRET]);
    const capital = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const bytes = Buffer.from(`--${PAYLOAD}--`).subarray(2, -2);
    const copy = new Uint8Array(bytes);
    for (const payload of [PAYLOAD, bytes, copy, copy.buffer]) {
      for (const given of [headers, capital, new Headers(capital)]) {
        const received = { payload, headers: given, secret: SECRET, now: NOW };
        expect(await verifyWebhook(received)).toEqual(EVENT);
      }
    }
  });

  it('verifyWebhook accepts one valid signature of several, and one of two secrets', async () => {
    const { payload, headers } = delivery(['new', SECRET]);
    expect(await verifyWebhook({ payload, headers, secret: SECRET, now: NOW })).toEqual(EVENT);
    const old = delivery([SECRET]);
    expect(await verifyWebhook({ ...old, secrets: ['new', SECRET], now: NOW })).toEqual(EVENT);
    const others = `v1a,x v2,y v1,short v1, ${String(headers['webhook-signature'])}`;
    const many = { ...headers, 'webhook-signature': others };
    expect(await verifyWebhook({ payload, headers: many, secret: 'new', now: NOW })).toEqual(EVENT);
  });

  it('verifyWebhook agrees with the library of Standard Webhooks', async () => {
    const at = new Date();
    const webhook = new Webhook(MADE);
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign('evt_1', at, PAYLOAD),
    };
    expect(await verifyWebhook({ payload: PAYLOAD, headers, secret: MADE })).toEqual(EVENT);
  });

  it('verifyWebhook refuses another body, another id, another secret and another time', async () => {
    const good = delivery([SECRET]);
    const parts = [
      { ...good, payload: `${PAYLOAD} ` },
      { ...good, headers: { ...good.headers, 'webhook-id': 'evt_2' } },
      { ...good, headers: { ...good.headers, 'webhook-timestamp': '1772366399' } },
      { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,' } },
      delivery(['another']),
    ];
    for (const received of parts) {
      expect(await refused({ ...received, secret: SECRET, now: NOW })).toMatch(/No signature/);
    }
  });

  it.each([
    [301, /301 seconds ago/],
    [-301, /301 seconds ahead/],
    [86_400, /86400 seconds ago/],
  ])('verifyWebhook refuses a signature with an age of %d seconds', async (age, message) => {
    const at = new Date(NOW.getTime() - age * 1000);
    expect(await refused({ ...delivery([SECRET], at), secret: SECRET, now: NOW })).toMatch(message);
  });

  it('verifyWebhook accepts a signature within the tolerance', async () => {
    for (const age of [300, -300]) {
      const at = new Date(NOW.getTime() - age * 1000);
      expect(await verifyWebhook({ ...delivery([SECRET], at), secret: SECRET, now: NOW })).toEqual(
        EVENT,
      );
    }
    const at = new Date(NOW.getTime() - 5_000);
    const strict = { ...delivery([SECRET], at), secret: SECRET, now: NOW, toleranceSeconds: 4 };
    expect(await refused(strict)).toMatch(/5 seconds ago/);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'verifyWebhook refuses a delivery without %s',
    async (name) => {
      const { payload, headers } = delivery([SECRET]);
      const some = { ...headers, [name]: undefined } as Record<string, string | undefined>;
      expect(await refused({ payload, headers: some, secret: SECRET, now: NOW })).toMatch(
        /missing/,
      );
    },
  );

  it('verifyWebhook refuses a signed body that is not JSON', async () => {
    const headers = signatureHeaders('evt_1', Buffer.from('no'), [SECRET], NOW);
    const received = { payload: 'no', headers: { ...headers }, secret: SECRET, now: NOW };
    expect(await refused(received)).toMatch(/not JSON/);
  });

  it('verifyWebhook reports a parsed body, and a missing secret', async () => {
    const { headers } = delivery([SECRET]);
    const parsed = { payload: EVENT as unknown as string, headers, secret: SECRET };
    await expect(verifyWebhook(parsed)).rejects.toThrow(/raw body/);
    await expect(verifyWebhook({ ...delivery([SECRET]), now: NOW })).rejects.toThrow(/a secret/);
    const empty = { ...delivery([SECRET]), secret: '', now: NOW };
    await expect(verifyWebhook(empty)).rejects.toThrow(/not be empty/);
  });
});
