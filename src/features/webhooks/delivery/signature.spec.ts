import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../signing/signature.js';

const body = fc.string({ unit: 'binary' }).map((text) => Buffer.from(JSON.stringify({ text })));
const textSecret = fc
  .string({ minLength: 1, maxLength: 256 })
  .filter((text) => !text.startsWith('whsec_'));
const whsec = fc
  .uint8Array({ minLength: 1, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);

function accepts(secret: string, bytes: Buffer, headers: Record<string, string>): boolean {
  const verifier = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(secret, { format: 'raw' });
  try {
    verifier.verify(bytes, headers);
    return true;
  } catch {
    return false;
  }
}

describe('a signature', () => {
  it('is accepted by the Standard Webhooks library, for every secret and body', () => {
    fc.assert(
      fc.property(fc.oneof(textSecret, whsec), body, (secret, bytes) => {
        const headers = { ...signatureHeaders('evt_1', bytes, [secret], new Date()) };
        expect(accepts(secret, bytes, headers)).toBe(true);
        expect(accepts('the secret of another webhook', bytes, headers)).toBe(false);
      }),
    );
  });

  it('is made with both secrets while a rotation overlaps', () => {
    fc.assert(
      fc.property(whsec, textSecret, body, (newer, older, bytes) => {
        const headers = { ...signatureHeaders('evt_1', bytes, [newer, older], new Date()) };
        expect(accepts(newer, bytes, headers) && accepts(older, bytes, headers)).toBe(true);
      }),
    );
  });
});
