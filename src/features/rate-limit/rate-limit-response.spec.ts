import type { WindowLimits } from '../auth/plan.js';
import {
  rateLimitHeaders,
  rateLimitRefusal,
  secondsUntil,
  tightest,
  unlimitedHeaders,
  windowStatuses,
  type WindowStatus,
} from './rate-limit-response.js';
import type { RateLimitUsage } from './rate-limit-storage.js';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const usage: RateLimitUsage = {
  now: 1_000_000,
  windows: {
    minute: { used: 1, resetAt: 1_060_000 },
    hour: { used: 95, resetAt: 4_600_000 },
    day: { used: 991, resetAt: 87_400_000 },
  },
};

const account = (limits: WindowLimits) => ({ of: 'account' as const, limits });

describe('The window that limits a client most', () => {
  it('is the one with the fewest requests left', () => {
    const held = tightest(windowStatuses(account({ minute: 10, hour: 100, day: 1_000 }), usage));
    expect(held).toEqual({
      of: 'account',
      window: 'hour',
      limit: 100,
      remaining: 5,
      resetAt: 4_600_000,
    });
  });

  it('is the one that resets last among windows with equally few left', () => {
    const held = tightest(windowStatuses(account({ minute: 10, hour: 104, day: 1_000 }), usage));
    expect(held?.window).toBe('day');
  });

  it('is never an unlimited one', () => {
    const limited = windowStatuses(account({ minute: 10, hour: null, day: null }), usage);
    expect(limited).toEqual([
      { of: 'account', window: 'minute', limit: 10, remaining: 9, resetAt: 1_060_000 },
    ]);
  });

  it('has 0 requests left, never a negative number, if its limit was lowered below the count', () => {
    const held = tightest(windowStatuses(account({ minute: 10, hour: 50, day: 1_000 }), usage));
    expect(held).toMatchObject({ of: 'account', window: 'hour', remaining: 0 });
  });
});

describe('The seconds until a reset', () => {
  it('are rounded up, so that a client that waits for them is never too early', () => {
    expect(secondsUntil(1_000, 0)).toBe(1);
    expect(secondsUntil(1_001, 0)).toBe(2);
  });

  it('are at least one', () => {
    expect(secondsUntil(0, 5)).toBe(1);
  });
});

const minute: WindowStatus = {
  of: 'account',
  window: 'minute',
  limit: 10,
  remaining: 9,
  resetAt: now + 57_400,
};
const day: WindowStatus = {
  of: 'account',
  window: 'day',
  limit: 1_000,
  remaining: 3,
  resetAt: now + 7_200_000,
};

describe('The headers of a counted response', () => {
  it("show the tightest window in the specification's headers and all limited windows in the IETF draft's", () => {
    expect(Object.fromEntries(rateLimitHeaders([minute, day], day, now))).toEqual({
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '3',
      'X-RateLimit-Reset': '1772373600',
      'RateLimit-Policy': '"minute";q=10;w=60, "day";q=1000;w=86400',
      RateLimit: '"minute";r=9;t=58, "day";r=3;t=7200',
    });
  });

  it('name the windows of keys and tokens differently from those of the account', () => {
    const key = { ...minute, of: 'key' } as const;
    const token = { ...minute, of: 'token', limit: 5, remaining: 2 } as const;
    expect(Object.fromEntries(rateLimitHeaders([minute, key, token], token, now))).toMatchObject({
      'X-RateLimit-Limit': '5',
      'RateLimit-Policy': '"minute";q=10;w=60, "key-minute";q=10;w=60, "token-minute";q=5;w=60',
      RateLimit: '"minute";r=9;t=58, "key-minute";r=9;t=58, "token-minute";r=2;t=58',
    });
  });

  it('round the reset up to whole seconds', () => {
    const headers = new Map(rateLimitHeaders([minute], minute, now));
    expect(headers.get('X-RateLimit-Reset')).toBe(String(now / 1000 + 58));
  });

  it('show the largest 32-bit integer and no IETF fields for an unlimited account', () => {
    expect(Object.fromEntries(unlimitedHeaders(now))).toEqual({
      'X-RateLimit-Limit': '2147483647',
      'X-RateLimit-Remaining': '2147483647',
      'X-RateLimit-Reset': String(now / 1000 + 60),
    });
  });
});

describe('The error for a request over the limit', () => {
  it('states the window, its limit and when to try again', () => {
    const error = rateLimitRefusal(
      { of: 'account', window: 'minute', limit: 10, remaining: 0, resetAt: now + 41_300 },
      now,
    );
    expect(error.kind).toBe('rate_limited');
    expect(error.message).toBe(
      "The account's 10 requests per minute are used up. Try again in 42 seconds.",
    );
    expect(error.details).toEqual({
      of: 'account',
      window: 'minute',
      limit: 10,
      resetAt: '2026-03-01T12:00:41.300Z',
      retryAfter: 42,
    });
    expect(error.retryAfterSeconds).toBe(42);
  });

  it('uses the singular for one second', () => {
    const { message } = rateLimitRefusal(
      { of: 'account', window: 'hour', limit: 5, remaining: 0, resetAt: now + 1 },
      now,
    );
    expect(message).toMatch(/in 1 second\.$/);
  });

  it('says that waiting does not help an account with a limit of 0', () => {
    const { message } = rateLimitRefusal(
      { of: 'account', window: 'day', limit: 0, remaining: 0, resetAt: now + 86_400_000 },
      now,
    );
    expect(message).toMatch(/limit per day is 0\. Ask the operator/);
  });

  it.each([
    ['account', "The account's 5 requests", { of: 'account' }],
    ['key', "This API key's 5 requests", { of: 'key' }],
    ['token', "This token's 5 requests", { of: 'token' }],
    ['person', 'Your 5 requests', {}],
  ] as const)('says that it is the limit of the %s', (of, start, named) => {
    const full = { of, window: 'day', limit: 5, remaining: 0, resetAt: now + 1_000 } as const;
    const { message, details } = rateLimitRefusal(full, now);
    expect(message).toMatch(new RegExp(`^${start} per day are used up\\.`));
    expect(details).toEqual({
      ...named,
      window: 'day',
      limit: 5,
      resetAt: '2026-03-01T12:00:01.000Z',
      retryAfter: 1,
    });
  });
});
