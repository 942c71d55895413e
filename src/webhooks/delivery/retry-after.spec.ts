import fc from 'fast-check';
import { retryAfterMs, timeOfAnswer } from './retry-after.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
  ])('may be given as %j', (value, milliseconds) => {
    expect(retryAfterMs(value, NOW)).toBe(milliseconds);
  });

  it.each([
    ['0', 1_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 1_000],
    ['86401', 86_400_000],
    ['9'.repeat(400), 86_400_000],
    ['Tue, 01 Jan 2999 00:00:00 GMT', 86_400_000],
  ])('is at least a second and at most a day: %j', (value, milliseconds) => {
    expect(retryAfterMs(value, NOW)).toBe(milliseconds);
  });

  it.each([undefined, '', 'soon', '-5', '1.5', '1e3', '2026-11-21T13:00:00Z', '60, 120', 'GMT'])(
    'counts for nothing when it is neither: %j',
    (value) => {
      expect(retryAfterMs(value, NOW)).toBeUndefined();
    },
  );

  it('gives a time within its bounds, or none, whatever a receiver sends', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const milliseconds = retryAfterMs(value, NOW) ?? 1_000;
        expect(milliseconds).toBeGreaterThanOrEqual(1_000);
        expect(milliseconds).toBeLessThanOrEqual(86_400_000);
      }),
    );
  });
});

describe('the time of an answer', () => {
  it('is what the receiver says it is', () => {
    expect(timeOfAnswer('Sat, 21 Nov 2026 13:00:00 GMT', NOW).toISOString()).toBe(
      '2026-11-21T13:00:00.000Z',
    );
  });

  it.each([undefined, '', 'yesterday', '2026-11-21T13:00:00Z'])(
    'is ours when it says %j',
    (value) => {
      expect(timeOfAnswer(value, NOW)).toBe(NOW);
    },
  );
});
