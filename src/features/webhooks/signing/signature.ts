import { createHmac } from 'node:crypto';

const BASE64_PREFIX = 'whsec_';

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
interface SignatureHeaders {
  'webhook-id': string;
  /** Seconds since 1970. */
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Signs one attempt with every secret that is valid, the newest first. */
export function signatureHeaders(
  id: string,
  body: Buffer,
  secrets: readonly string[],
  at: Date,
): SignatureHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret));
    return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** What follows `whsec_` is base64; any other secret signs with its bytes as it stands. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}
