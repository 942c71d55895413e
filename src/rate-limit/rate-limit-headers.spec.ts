import { rateLimitHeaders, unlimitedHeaders } from './rate-limit-headers.js';
import type { WindowStanding } from './window-standing.js';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const minute: WindowStanding = { window: 'minute', limit: 10, remaining: 9, resetAt: now + 57_400 };
const day: WindowStanding = { window: 'day', limit: 1_000, remaining: 3, resetAt: now + 7_200_000 };

describe('Headers of a counted answer', () => {
  it('tell the tightest window in the words of the specification and all limited ones in those of the IETF draft', () => {
    expect(Object.fromEntries(rateLimitHeaders([minute, day], day, now))).toEqual({
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '3',
      'X-RateLimit-Reset': '1772373600',
      'RateLimit-Policy': '"minute";q=10;w=60, "day";q=1000;w=86400',
      RateLimit: '"minute";r=9;t=58, "day";r=3;t=7200',
    });
  });

  it('round the reset up to whole seconds', () => {
    const headers = new Map(rateLimitHeaders([minute], minute, now));
    expect(headers.get('X-RateLimit-Reset')).toBe(String(now / 1000 + 58));
  });

  it('give an unlimited account the largest 32-bit integer and no IETF fields', () => {
    expect(Object.fromEntries(unlimitedHeaders(now))).toEqual({
      'X-RateLimit-Limit': '2147483647',
      'X-RateLimit-Remaining': '2147483647',
      'X-RateLimit-Reset': String(now / 1000 + 60),
    });
  });
});
