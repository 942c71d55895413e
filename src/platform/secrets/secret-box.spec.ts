import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { SecretBox, SecretUnreadableError } from './secret-box.js';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
const key = bytes(32);
const secret = fc.string({ unit: 'binary', maxLength: 256 });
const ROW = '019aa5f0-8d63-7c3e-9a41-2f6f3a1b7c55';

describe('a sealed secret', () => {
  it('opens with the same key and row', () => {
    fc.assert(
      fc.property(key, secret, fc.uuid(), (ownKey, text, row) => {
        const box = new SecretBox(ownKey);
        expect(new SecretBox(Buffer.from(ownKey)).open(box.seal(text, row), row)).toBe(text);
      }),
    );
  });

  it('does not open with any other key', () => {
    fc.assert(
      fc.property(key, key, secret, (one, other, text) => {
        fc.pre(!one.equals(other));
        const record = new SecretBox(one).seal(text, ROW);
        expect(() => new SecretBox(other).open(record, ROW)).toThrow(
          /SECRETS_KEY it was written with/,
        );
      }),
    );
  });

  it('does not open for another row', () => {
    fc.assert(
      fc.property(key, secret, fc.uuid(), fc.uuid(), (ownKey, text, row, other) => {
        fc.pre(row !== other);
        const box = new SecretBox(ownKey);
        expect(() => box.open(box.seal(text, row), other)).toThrow(/belongs to another row/);
      }),
    );
  });

  it('does not open if any bit of its record was changed or its end is missing', () => {
    const box = new SecretBox(randomBytes(32));
    fc.assert(
      fc.property(secret, fc.nat(), fc.nat(7), (text, place, bit) => {
        const record = box.seal(text, ROW);
        const cut = record.subarray(0, place % record.length);
        const at = place % record.length;
        record[at] = (record[at] ?? 0) ^ (1 << bit);
        expect(() => box.open(record, ROW)).toThrow(SecretUnreadableError);
        expect(() => box.open(cut, ROW)).toThrow(SecretUnreadableError);
      }),
    );
  });

  it('is a different record each time and never contains the text', () => {
    const box = new SecretBox(randomBytes(32));
    const text = 'correct horse battery staple';
    const [one, other] = [box.seal(text, ROW), box.seal(text, ROW)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes('horse')).toBe(false);
  });

  it('begins with the version of its layout and the id of its key', () => {
    const ownKey = Buffer.alloc(32, 7);
    // The SHA-256 of 32 bytes 0x07 starts with 4bb06f8e.
    expect(new SecretBox(ownKey).seal('x', ROW).subarray(0, 5).toString('hex')).toBe('014bb06f8e');
  });

  it.each([0, 16, 31, 33])('requires a key of 32 bytes, not %d', (length) => {
    expect(() => new SecretBox(Buffer.alloc(length))).toThrow(
      'A secrets key must have exactly 32 bytes.',
    );
  });
});
