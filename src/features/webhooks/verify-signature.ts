import { timingSafeEqual } from 'node:crypto';
import { signatureHeaders } from './signing/signature.js';

/** How old, or how far ahead, a signature may be: what was recorded on the way cannot be sent again later. */
const TOLERANCE_SECONDS = 5 * 60;

/** What a receiver has of a delivery. Names of headers are lower case. */
interface ReceivedDelivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came. */
  body: Buffer;
}

/**
 * Whether a delivery was signed with one of the secrets at about this time (https://www.standardwebhooks.com);
 * `undefined` when it was, and otherwise why it does not count.
 */
export function signatureProblem(
  { headers, body }: ReceivedDelivery,
  secrets: readonly string[],
  now: Date,
): string | undefined {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return 'a header of webhook-id, webhook-timestamp and webhook-signature is missing';
  }
  if (!/^\d{1,12}$/.test(timestamp)) return 'webhook-timestamp is no number of seconds';
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) > TOLERANCE_SECONDS) {
    const seconds = `${String(Math.abs(age))} seconds`;
    return age > 0 ? `it was signed ${seconds} ago` : `it is signed ${seconds} ahead of this clock`;
  }
  const given = signatures.split(' ');
  const at = new Date(Number(timestamp) * 1000);
  const holds = secrets.some((secret) => {
    const expected = signatureHeaders(id, body, [secret], at)['webhook-signature'];
    return given.some((signature) => isEqual(signature, expected));
  });
  return holds ? undefined : 'no signature is of this body and this secret';
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
