import fc from 'fast-check';
import { delayAfter, delayAsAsked } from './retry-schedule.js';

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
