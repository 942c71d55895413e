import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders, signatureProblem } from './signature.js';

const NOW = new Date('2026-03-01T12:00:00.500Z');
const BODY = Buffer.from('{"id":"evt_1","title":"ü"}');
const SECRET = 'correct horse battery staple';

const signed = (secrets: readonly string[], at = NOW, body = BODY) => ({
  headers: { ...signatureHeaders('evt_1', body, secrets, at) } as Record<string, string>,
  body,
});

describe('the signature of a delivery', () => {
  it('is valid for exactly its bytes and secret, whatever they are', () => {
    const secret = fc.oneof(
      fc.string({ minLength: 1 }).filter((text) => !text.startsWith('whsec_')),
      fc
        .uint8Array({ minLength: 1 })
        .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
    );
    fc.assert(
      fc.property(secret, fc.uint8Array(), (key, bytes) => {
        const body = Buffer.from(bytes);
        expect(signatureProblem(signed([key], NOW, body), [key], NOW)).toBeUndefined();
        const other = Buffer.concat([body, Buffer.from(' ')]);
        const { headers } = signed([key], NOW, body);
        expect(signatureProblem({ headers, body: other }, [key], NOW)).toMatch(/no signature/);
      }),
    );
  });

  it('matches the example of Standard Webhooks', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const body = Buffer.from('{"test": 2432232314}');
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(
      signatureProblem({ headers, body }, [secret], new Date(1_614_265_330_000)),
    ).toBeUndefined();
  });

  it('is valid if one of several matches, on either side, as during a rotation', () => {
    expect(signatureProblem(signed(['new', SECRET]), [SECRET], NOW)).toBeUndefined();
    expect(signatureProblem(signed([SECRET]), ['another', SECRET], NOW)).toBeUndefined();
    expect(signatureProblem(signed(['new']), [SECRET], NOW)).toMatch(/no signature/);
    expect(signatureProblem(signed([SECRET]), [], NOW)).toMatch(/no signature/);
  });

  it.each([
    [-301, /301 seconds ahead/],
    [301, /signed 301 seconds ago/],
    [86_400, /signed 86400 seconds ago/],
  ])('is invalid at an age of %d seconds', (age, problem) => {
    const at = new Date(NOW.getTime() - age * 1000);
    expect(signatureProblem(signed([SECRET], at), [SECRET], NOW)).toMatch(problem);
  });

  it.each([-300, 0, 300])('may be %d seconds old', (age) => {
    const at = new Date(NOW.getTime() - age * 1000);
    expect(signatureProblem(signed([SECRET], at), [SECRET], NOW)).toBeUndefined();
  });

  it.each([
    ['webhook-id', undefined, /missing/],
    ['webhook-timestamp', undefined, /missing/],
    ['webhook-signature', undefined, /missing/],
    ['webhook-timestamp', 'soon', /not a number/],
    ['webhook-timestamp', '-1', /not a number/],
    ['webhook-id', 'evt_2', /no signature/],
    ['webhook-signature', '', /no signature/],
    ['webhook-signature', 'v1,', /no signature/],
    ['webhook-signature', 'v1a,x v2,y', /no signature/],
  ])('is invalid if %s is %j', (name, value, problem) => {
    const { headers, body } = signed([SECRET]);
    expect(
      signatureProblem({ headers: { ...headers, [name]: value }, body }, [SECRET], NOW),
    ).toMatch(problem);
  });
});

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

describe('a signature for receivers', () => {
  it('is accepted by the Standard Webhooks library, for every secret and body', () => {
    fc.assert(
      fc.property(fc.oneof(textSecret, whsec), body, (secret, bytes) => {
        const headers = { ...signatureHeaders('evt_1', bytes, [secret], new Date()) };
        expect(accepts(secret, bytes, headers)).toBe(true);
        expect(accepts('the secret of another webhook', bytes, headers)).toBe(false);
      }),
    );
  });

  it('uses both secrets while a rotation overlaps', () => {
    fc.assert(
      fc.property(whsec, textSecret, body, (newer, older, bytes) => {
        const headers = { ...signatureHeaders('evt_1', bytes, [newer, older], new Date()) };
        expect(accepts(newer, bytes, headers) && accepts(older, bytes, headers)).toBe(true);
      }),
    );
  });
});
