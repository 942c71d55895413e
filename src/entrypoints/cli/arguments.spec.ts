import { InvalidArgumentError } from 'commander';
import { readDatabaseTime } from '../../platform/basics/clock/current-time.js';
import { parseDuration, parseExpiry, parseGrace, parseLimit, parseScopes } from './arguments.js';

describe('durations', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['24h', 86_400],
    ['30d', 2_592_000],
    ['2w', 1_209_600],
    ['0', 0],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', 'd', '-1d', '1.5h', '1y', '1 d', '1D'])('%j is invalid', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('--expires', () => {
  it('accepts a time, or a day as its start', () => {
    expect(parseExpiry('2027-01-31T10:00:00+02:00')().toISOString()).toBe(
      '2027-01-31T08:00:00.000Z',
    );
    expect(parseExpiry('2027-01-31')().toISOString()).toBe('2027-01-31T00:00:00.000Z');
  });

  it('accepts a duration from now, by the database’s clock', async () => {
    const expiry = parseExpiry('30d');
    const databaseTime = Date.now() + 3_600_000;
    await readDatabaseTime(() => Promise.resolve(databaseTime));
    const month = 30 * 86_400_000;
    expect(expiry().getTime() - databaseTime).toBeGreaterThan(month - 1_000);
    expect(expiry().getTime() - databaseTime).toBeLessThan(month + 10_000);
  });

  it.each(['soon', '30', '2027-02-31', '999999999w', '9999999d'])('refuses %j', (text) => {
    expect(() => parseExpiry(text)).toThrow(InvalidArgumentError);
  });
});

describe('--grace', () => {
  it('accepts seconds or a duration, up to a week', () => {
    expect(['0', '3600', '24h', '7d'].map(parseGrace)).toEqual([0, 3_600, 86_400, 604_800]);
    expect(() => parseGrace('8d')).toThrow(/at most 7d/);
    expect(() => parseGrace('-1')).toThrow(InvalidArgumentError);
  });
});

describe('--scopes', () => {
  it('accepts names separated by commas', () => {
    expect(parseScopes('documents:read, keys:read,')).toEqual(['documents:read', 'keys:read']);
  });

  it('reports an unknown scope with the nearest known one', () => {
    expect(() => parseScopes('documents:read,keys:raed')).toThrow(
      "scopes[1] is not a scope; did you mean 'keys:read'?",
    );
    expect(() => parseScopes(' , ')).toThrow(/at least one scope/);
  });
});

describe('limits of an account', () => {
  it('are whole numbers of at least 1', () => {
    expect(parseLimit('250')).toBe(250);
    for (const text of ['0', '-1', '1.5', '1e3', 'many']) {
      expect(() => parseLimit(text)).toThrow('Enter a whole number from 1 to 2147483647.');
    }
  });
});
