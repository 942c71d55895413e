import { generateSecret, previewOf, secretWarnings, WHSEC_IS_BASE64 } from './webhook-secret.js';

describe('a generated secret', () => {
  it('is whsec_ and 24 bytes of base64, and different each time', () => {
    const [one, other] = [generateSecret(), generateSecret()];
    expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(one).toMatch(WHSEC_IS_BASE64);
    expect(one).not.toBe(other);
    expect(secretWarnings(one)).toEqual([]);
  });
});

describe('the preview of a secret', () => {
  it('is its last four characters', () => {
    expect(previewOf('correct horse battery staple')).toBe('aple');
  });

  it.each([
    ['a', ''],
    ['abc', ''],
    ['abcd', 'd'],
    ['abcdefghijk', 'jk'],
    ['abcdefghijklmnop', 'mnop'],
  ])('shows at most a quarter of a short one: %s', (secret, preview) => {
    expect(previewOf(secret)).toBe(preview);
  });
});

describe('a secret chosen by the client', () => {
  it('causes a warning under 24 characters', () => {
    expect(secretWarnings('x'.repeat(23))).toEqual([
      { field: 'secret', issue: expect.stringMatching(/at least 24 random characters/) as string },
    ]);
    expect(secretWarnings('x'.repeat(24))).toEqual([]);
  });

  it.each([
    'plain',
    'whsec',
    'my whsec_ secret',
    'whsec_QQ==',
    'whsec_QUI=',
    'whsec_QUJD',
    'whsec_QUJDRA==',
  ])('is plain text or base64 after whsec_: %s', (secret) => {
    expect(secret).toMatch(WHSEC_IS_BASE64);
  });

  it.each([
    'whsec_',
    'whsec_=',
    'whsec_QQ',
    'whsec_QUJ',
    'whsec_QUJDRA',
    'whsec_Q-_D',
    'whsec_QQ==QQ==',
    'whsec_QUJD\n',
    'whsec_not base64!',
  ])('is refused if a library could not decode the base64 after whsec_: %j', (secret) => {
    expect(secret).not.toMatch(WHSEC_IS_BASE64);
  });
});
