import { WebhookVerificationError } from './errors.js';
import type { WebhookEvent } from './types.js';

export interface ReceivedWebhook {
  /** The raw body, before anything parses it. */
  payload: string | Uint8Array | ArrayBuffer;
  /** The headers of a `Request`, or Node's `request.headers`. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The secret that you registered, or the `whsec_…` that the service generated. */
  secret?: string | undefined;
  /** Accepted secrets during a rotation. One of them must match. */
  secrets?: readonly string[] | undefined;
  /** Maximum difference between the time of the signature and this clock. Defaults to 300. */
  toleranceSeconds?: number | undefined;
  now?: Date | undefined;
}

/**
 * Verifies the signature of a delivery (https://www.standardwebhooks.com) and returns its event. Throws
 * {@link WebhookVerificationError} if it is invalid: respond with 400 and do not trust the body.
 */
export async function verifyWebhook({
  payload,
  headers,
  secret,
  secrets = [],
  toleranceSeconds = 300,
  now = new Date(),
}: ReceivedWebhook): Promise<WebhookEvent> {
  const body = bytesOf(payload);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError(
      'The header webhook-id, webhook-timestamp or webhook-signature is missing.',
    );
  }
  checkTime(timestamp, toleranceSeconds, now);
  const keys = [...(secret === undefined ? [] : [secret]), ...secrets].map(keyOf);
  if (keys.length === 0) throw new TypeError('verifyWebhook needs a secret.');
  const signed = joined(utf8(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, signatures, keys))) {
    throw new WebhookVerificationError(
      'No signature matches this body and secret. Pass the raw body, not one that was parsed and serialized again.',
    );
  }
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('The body is not JSON.');
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(payload: unknown): Bytes {
  if (typeof payload === 'string') return utf8(payload);
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload);
  if (payload instanceof Uint8Array) return new Uint8Array(payload);
  throw new TypeError(
    'The payload must be the raw body as a string or bytes. Verify it before parsing it.',
  );
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name)
      return Array.isArray(value) ? value.join(' ') : String(value ?? '');
  }
  return undefined;
}

function checkTime(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('webhook-timestamp is not a number of seconds.');
  }
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) <= toleranceSeconds) return;
  const seconds = `${String(Math.abs(age))} seconds`;
  throw new WebhookVerificationError(
    age > 0
      ? `The delivery was signed ${seconds} ago.`
      : `The delivery was signed ${seconds} ahead of this clock.`,
  );
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(signed: Bytes, signatures: string, keys: Bytes[]): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => fromBase64(signature.slice(3)));
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
}

/** The part after `whsec_` is base64. Any other secret is used as UTF-8 text. */
function keyOf(secret: string): Bytes {
  const key = secret.startsWith('whsec_') ? fromBase64(secret.slice(6)) : utf8(secret);
  if (key.length === 0) throw new TypeError('The secret of a webhook must not be empty.');
  return key;
}

/** As lenient as the service. */
function fromBase64(text: string): Bytes {
  const digits = text
    .replace(/=.*$/s, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function joined(one: Bytes, other: Bytes): Bytes {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
