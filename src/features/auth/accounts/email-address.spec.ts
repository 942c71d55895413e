import { localPart, normalizeEmail } from './email-address.js';

describe('normalizeEmail', () => {
  it('returns one address for all its spellings', () => {
    expect(normalizeEmail(' Ada@Example.COM ')).toBe('ada@example.com');
  });

  it.each(["o'hara+docs@example.com", 'ada@localhost', `${'a'.repeat(64)}@example.com`])(
    'accepts %s',
    (email) => {
      expect(normalizeEmail(email)).toBe(email);
    },
  );

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada lovelace@example.com',
    'ada@-example.com',
    'ada@example..com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
    'ada@example.com\nBcc: eve@example.com',
  ])('refuses %j and shows how to write an address', (text) => {
    expect(() => normalizeEmail(text)).toThrow(/email: is not an e-mail address; write it like/);
  });
});

describe('localPart', () => {
  it('is the part before the @', () => {
    expect(localPart('ada.lovelace@example.com')).toBe('ada.lovelace');
  });
});
