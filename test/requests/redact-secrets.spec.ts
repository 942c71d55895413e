import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { generateApiKey } from '../../src/features/auth/api-keys/api-key.js';
import { issueToken } from '../../src/features/people/sessions/secret-token.js';
import {
  redactedStart,
  redactSecrets,
  redactSecretsIn,
  redactSecretsInJson,
} from '../../src/platform/basics/redact-secrets.js';
import { propertyRuns } from '../support/property-runs.js';

const escapes: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${hex(character)}`,
  (character) => `%${hex(character).toUpperCase()}`,
  (character) => `%25${hex(character)}`,
  (character) => `\\u00${hex(character)}`,
];

const secret = fc.oneof(
  fc.constant('').map(() => generateApiKey()),
  fc.constant('').map(() => issueToken().token),
  fc
    .uint8Array({ minLength: 24, maxLength: 64 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`),
);

/** A secret with each of its characters written in any way. */
const written = fc.tuple(secret, fc.infiniteStream(fc.nat({ max: 20 }))).map(([text, choices]) => ({
  text,
  // Most characters are unchanged.
  written: Array.from(text, (character) => {
    const choice = Number(choices.next().value);
    return (escapes[choice] ?? escapes[0])?.(character) ?? character;
  }).join(''),
}));

/** Text that may run into the secret: letters, digits, halves of escapes, separators. */
const around = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.stringMatching(/^[a-zA-Z0-9%\\/_.\-"'&=?#: n\n]{0,30}$/),
);

describe('Redacting secrets', () => {
  it('Redacting secrets removes every key, webhook secret, session and link from any text, however it is written', () => {
    fc.assert(
      fc.property(around, written, around, (before, { text, written: given }, after) => {
        const kept = redactSecrets(before + given + after);
        expect(kept).not.toContain(given);
        expect(plain(kept)).not.toContain(text);
        // The rest is too short to find the remainder of the secret.
        expect(plain(kept)).not.toContain(text.slice(0, 24));
        expect(plain(kept)).not.toContain(text.slice(-24));
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });

  it('Redacting secrets removes them from JSON values and names, and leaves valid JSON', () => {
    fc.assert(
      fc.property(around, written, around, (before, { text, written: given }, after) => {
        const whole = before + given + after;
        const json = JSON.stringify({ message: whole, details: { [whole]: [whole, 1, null] } });
        const kept = redactSecretsInJson(json);
        expect(JSON.parse(kept)).toEqual(redactSecretsIn(JSON.parse(json)));
        expect(plain(kept)).not.toContain(text.slice(0, 24));
        expect(plain(kept)).not.toContain(text.slice(-24));
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it.each([
    'doc_01jd2kz5vnfa8r6c3m9h0x4tqw was not found in acct_01jd2kz5vnfa8r6c3m9h0x4tqw',
    '018f4e5c-7b2a-7c3d-9e4f-5a6b7c8d9e0f',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'a-document-about-how-to-write-documents-with-a-long-name',
    '/v1/documents?q=%22annual+report%22&sort=created_at&metadata.region=eu',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  ])('Redacting secrets keeps %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('Redacting secrets removes keys and webhook secrets that signs or spaces break', () => {
    const prefixed = fc.constantFrom(
      () => generateApiKey(),
      () => `whsec_${randomBytes(32).toString('base64')}`,
    );
    const sign = fc.constantFrom(
      '.',
      ' ',
      '\n',
      '\r\n',
      ' - ',
      '%20',
      '%0A',
      '\\n',
      '":"',
      '/',
      '|',
    );
    fc.assert(
      fc.property(prefixed, sign, fc.nat({ max: 20 }), (make, broken, at) => {
        const text = make();
        const end = 8 + at;
        const kept = redactSecrets(`key=${text.slice(0, end)}${broken}${text.slice(end)}, next`);
        // For example, a secret of only capital letters cannot be distinguished from words that follow a short one.
        fc.pre(/[a-z].*[a-z]/.test(text.slice(8, 38)) && /[A-Z]/.test(text.slice(8, 38)));
        fc.pre(/[0-9]/.test(text.slice(8, 38)));
        expect(kept).toMatch(/^key=REDACTED(?:, next|$)/);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('Redacting secrets keeps the words after a shortened key', () => {
    const text = 'ds_live_abc: is not a known field; known names are title, type, content';
    expect(redactSecrets(text)).toBe(text.replace('ds_live_abc', 'REDACTED'));
  });

  it('Redacting secrets removes partial secrets that the end of an excerpt cuts', () => {
    for (const text of [generateApiKey(), issueToken().token]) {
      for (let length = 1; length < text.length; length += 1) {
        const kept = redactedStart(`${'x.'.repeat(20)}${text}.y`, 40 + length);
        expect(kept).toBe(`${'x.'.repeat(20)}REDACTED.y`.slice(0, 40 + length));
      }
    }
  });

  it('Redacting secrets takes linear time for any text', () => {
    for (const piece of [
      '\\',
      '%25',
      '%',
      'a',
      'aB',
      '%41',
      'ds_live_',
      'whsec_',
      'ds_live_aB3.',
      'whsec_a%20b\\n',
      '\\u0041',
      '25',
    ]) {
      const started = performance.now();
      redactSecrets(piece.repeat(200_000));
      expect(performance.now() - started).toBeLessThan(20_000);
    }
  });
});

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

/** Returns the text with all escapes undone. */
function plain(text: string): string {
  return text
    .replace(/\\+u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/%(?:25)*([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    );
}
