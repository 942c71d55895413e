import { generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.js';

describe('API keys', () => {
  it('have the prefix, 32 random characters and a checksum, and are never the same', () => {
    const keys = Array.from({ length: 500 }, generateApiKey);
    for (const key of keys) {
      expect(key).toMatch(/^ds_live_[0-9A-Za-z]{38}$/);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.map((key) => hashApiKey(key).toString('hex'))).size).toBe(500);
  });

  it('are distinguished from every one-character typo without a lookup', () => {
    const key = generateApiKey();
    for (let index = 0; index < key.length; index += 1) {
      const other = key[index] === 'x' ? 'y' : 'x';
      expect(isWellFormedApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
      expect(isWellFormedApiKey(key.slice(0, index) + key.slice(index + 1))).toBe(false);
    }
  });
});
