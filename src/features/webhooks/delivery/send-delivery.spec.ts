import fc from 'fast-check';
import { issueToken } from '../../people/sessions/secret-token.js';
import { MAX_EXCERPT_BYTES, storedExcerpt, storedHeaders } from './send-delivery.js';

describe('the stored excerpt of a response', () => {
  it('is text of at most 16 KiB that PostgreSQL can store, whatever the bytes', () => {
    const bytes = fc
      .uint8Array({ maxLength: 300 })
      .chain((part) =>
        fc.nat(200).map((times) => Buffer.concat(Array.from({ length: times }, () => part))),
      );
    fc.assert(
      fc.property(bytes, (answer) => {
        const text = storedExcerpt(answer);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_EXCERPT_BYTES);
        expect(text).not.toContain('\0');
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it('is the whole response if it is short text', () => {
    expect(storedExcerpt(Buffer.from('{"fehler":"ungültig 🎉"}'))).toBe('{"fehler":"ungültig 🎉"}');
  });

  it('ends before a character that does not fit', () => {
    const answer = Buffer.from(`${'x'.repeat(MAX_EXCERPT_BYTES - 2)}🎉`);
    expect(storedExcerpt(answer)).toBe('x'.repeat(MAX_EXCERPT_BYTES - 2));
  });

  it('contains no part of a secret that its end cuts', () => {
    const { token } = issueToken();
    for (const cut of [token.length - 1, 20, 1]) {
      const before = ' '.repeat(MAX_EXCERPT_BYTES - cut);
      const text = storedExcerpt(Buffer.from(`${before}${token} and more`));
      expect(text.trim()).toBe('REDACTED and more'.slice(0, cut).trim());
    }
  });

  it('excludes cookies, and headers beyond 50 or 8 KiB', () => {
    const many = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`x-${String(index)}`, 'v']),
    );
    expect(storedHeaders({ 'set-cookie': ['session=1'], vary: ['a', 'b'] })).toEqual({
      vary: 'a,b',
    });
    expect(Object.keys(storedHeaders(many))).toHaveLength(50);
    const large = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`x-${String(index)}`, 'v'.repeat(1_000)]),
    );
    expect(Object.keys(storedHeaders(large))).toHaveLength(8);
  });

  it('cuts a long header and includes the ones after it', () => {
    const stored = storedHeaders({ policy: 'x'.repeat(9_000), 'retry-after': '5' });
    expect(stored).toEqual({ policy: `${'x'.repeat(1_023)}…`, 'retry-after': '5' });
  });
});
