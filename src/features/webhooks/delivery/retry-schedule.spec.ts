import fc from 'fast-check';
import { delayAfter, delayAsAsked, retryAfterMs, timeOfAnswer } from './retry-schedule.js';

const SCHEDULE = [0, 5_000, 300_000];
const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('the schedule of attempts', () => {
  it('spreads each wait by a fifth to both sides', () => {
    fc.assert(
      fc.property(random, (chance) => {
        const delay = delayAfter(1, SCHEDULE, () => chance);
        expect(delay).toBeGreaterThanOrEqual(4_000);
        expect(delay).toBeLessThanOrEqual(6_000);
      }),
    );
    expect(delayAfter(1, SCHEDULE, () => 0)).toBe(4_000);
    expect(delayAfter(1, SCHEDULE, () => 1)).toBe(6_000);
  });

  it('does not spread what is sent at once', () => {
    expect(delayAfter(1, [0, 0], () => 1)).toBe(0);
  });

  it('ends with its last wait', () => {
    expect(delayAfter(2, SCHEDULE, () => 0.5)).toBe(300_000);
    expect(delayAfter(3, SCHEDULE, () => 0.5)).toBeUndefined();
    expect(delayAfter(1, [0], () => 0.5)).toBeUndefined();
  });

  it('waits never less than a receiver asked for', () => {
    fc.assert(
      fc.property(fc.nat(86_400_000), random, (asked, chance) => {
        const delay = delayAsAsked(asked, () => chance);
        expect(delay).toBeGreaterThanOrEqual(asked);
        expect(delay).toBeLessThanOrEqual(Math.ceil(asked * 1.2));
      }),
    );
  });
});

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
