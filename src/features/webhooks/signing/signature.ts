import { createHmac, timingSafeEqual } from 'node:crypto';

// Signatures of Standard Webhooks (https://www.standardwebhooks.com).

const BASE64_PREFIX = 'whsec_';

/** How old a signature may be, or how far in the future. Limits replays of recorded requests. */
const TOLERANCE_SECONDS = 5 * 60;

interface SignatureHeaders {
  'webhook-id': string;
  /** Seconds since 1970. */
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Signs one attempt with every valid secret, newest first. */
export function signatureHeaders(
  id: string,
  body: Buffer,
  secrets: readonly string[],
  at: Date,
): SignatureHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', signingKey(secret));
    return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** A secret with the prefix `whsec_` is base64. Any other secret signs with its own bytes. */
function signingKey(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

/** A delivery as a receiver gets it. Header names are lower case. */
interface ReceivedDelivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The unparsed body. */
  body: Buffer;
}

/** Verifies a delivery. Returns the problem, or `undefined` if one of the secrets signed it at about `now`. */
export function signatureProblem(
  { headers, body }: ReceivedDelivery,
  secrets: readonly string[],
  now: Date,
): string | undefined {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return 'webhook-id, webhook-timestamp or webhook-signature is missing';
  }
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp is not a number of seconds';
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) > TOLERANCE_SECONDS) {
    const seconds = `${String(Math.abs(age))} seconds`;
    return age > 0 ? `it was signed ${seconds} ago` : `it is signed ${seconds} ahead of this clock`;
  }
  const received = signatures.split(' ');
  const at = new Date(Number(timestamp) * 1000);
  const isValid = secrets.some((secret) => {
    const expected = signatureHeaders(id, body, [secret], at)['webhook-signature'];
    return received.some((signature) => isEqual(signature, expected));
  });
  return isValid ? undefined : 'no signature matches this body and secret';
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
