import type { Take } from './rate-limit-storage.js';
import { secondsUntil, standings, tightest } from './window-standing.js';

const take: Take = {
  admitted: true,
  now: 1_000_000,
  windows: {
    minute: { used: 1, resetAt: 1_060_000 },
    hour: { used: 95, resetAt: 4_600_000 },
    day: { used: 991, resetAt: 87_400_000 },
  },
};

describe('The window that holds a client back', () => {
  it('is the one with the fewest requests left', () => {
    const held = tightest(standings({ minute: 10, hour: 100, day: 1_000 }, take));
    expect(held).toEqual({ window: 'hour', limit: 100, remaining: 5, resetAt: 4_600_000 });
  });

  it('is the one that resets last among windows with equally few left', () => {
    const held = tightest(standings({ minute: 10, hour: 104, day: 1_000 }, take));
    expect(held?.window).toBe('day');
  });

  it('is never an unlimited one', () => {
    const limited = standings({ minute: 10, hour: null, day: null }, take);
    expect(limited).toEqual([{ window: 'minute', limit: 10, remaining: 9, resetAt: 1_060_000 }]);
  });

  it('has none left, not fewer, when its limit was lowered below the count', () => {
    const held = tightest(standings({ minute: 10, hour: 50, day: 1_000 }, take));
    expect(held).toMatchObject({ window: 'hour', remaining: 0 });
  });
});

describe('Seconds until a reset', () => {
  it('round up, so that who waits them never comes too early', () => {
    expect(secondsUntil(1_000, 0)).toBe(1);
    expect(secondsUntil(1_001, 0)).toBe(2);
  });

  it('are at least one', () => {
    expect(secondsUntil(0, 5)).toBe(1);
  });
});
