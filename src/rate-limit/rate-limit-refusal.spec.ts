import { rateLimitRefusal } from './rate-limit-refusal.js';

const now = Date.parse('2026-03-01T12:00:00.000Z');

describe('The refusal of a request over the limit', () => {
  it('names the window, its limit and when to come again', () => {
    const error = rateLimitRefusal(
      { window: 'minute', limit: 10, remaining: 0, resetAt: now + 41_300 },
      now,
    );
    expect(error.kind).toBe('rate_limited');
    expect(error.message).toBe(
      "The account's 10 requests per minute are used up. Try again in 42 seconds.",
    );
    expect(error.details).toEqual({
      window: 'minute',
      limit: 10,
      resetAt: '2026-03-01T12:00:41.300Z',
      retryAfter: 42,
    });
    expect(error.retryAfterSeconds).toBe(42);
  });

  it('speaks of one second in the singular', () => {
    const { message } = rateLimitRefusal(
      { window: 'hour', limit: 5, remaining: 0, resetAt: now + 1 },
      now,
    );
    expect(message).toMatch(/in 1 second\.$/);
  });

  it('tells an account with a limit of 0 that waiting does not help', () => {
    const { message } = rateLimitRefusal(
      { window: 'day', limit: 0, remaining: 0, resetAt: now + 86_400_000 },
      now,
    );
    expect(message).toMatch(/limit per day is 0\. Ask the operator/);
  });
});
