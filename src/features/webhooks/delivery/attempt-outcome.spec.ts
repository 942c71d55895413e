import fc from 'fast-check';
import {
  attemptOutcome,
  failure,
  GIVE_UP_AFTER_MS,
  requestedDelay,
  responseTime,
  retryAfterMs,
  scheduledDelay,
  statusFailure,
  type EndedAttempt,
} from './attempt-outcome.js';

const SCHEDULE = [0, 5_000, 300_000];
const ended = (change: Partial<EndedAttempt>): EndedAttempt => ({
  number: 1,
  failure: undefined,
  retryAfterMs: undefined,
  failingForMs: null,
  ...change,
});
const outcome = (change: Partial<EndedAttempt>) =>
  attemptOutcome(ended(change), SCHEDULE, () => 0.5);

describe('the outcome of an attempt', () => {
  it.each([200, 201, 202, 204, 299])('with status %d is success', (status) => {
    expect(outcome({ failure: statusFailure(status) })).toEqual({ kind: 'succeeded' });
  });

  it.each([100, 301, 302, 307, 308, 400, 401, 404, 408, 409, 422, 429, 500, 502, 503, 600])(
    'with status %d is a retry on schedule',
    (status) => {
      expect(outcome({ failure: statusFailure(status) })).toEqual({
        kind: 'retry',
        delayMs: 5_000,
      });
      expect(outcome({ failure: statusFailure(status), number: 2 })).toEqual({
        kind: 'retry',
        delayMs: 300_000,
      });
    },
  );

  it('is failure after the last attempt of the schedule', () => {
    expect(outcome({ failure: failure('answer_timeout', '15'), number: 3 })).toEqual({
      kind: 'exhausted',
    });
    expect(outcome({ failure: statusFailure(429), number: 3, retryAfterMs: 1_000 })).toEqual({
      kind: 'exhausted',
    });
  });

  it('with Retry-After is a retry after that time', () => {
    expect(outcome({ failure: statusFailure(429), retryAfterMs: 60_000 })).toEqual({
      kind: 'retry',
      delayMs: 66_000,
    });
  });

  it('with status 410 disables the webhook', () => {
    expect(outcome({ failure: statusFailure(410) })).toEqual({
      kind: 'disable',
      reason: expect.stringMatching(/410 Gone/) as string,
    });
  });

  it('disables the webhook after 5 days of failures, not before', () => {
    const failed = statusFailure(500);
    expect(outcome({ failure: failed, failingForMs: GIVE_UP_AFTER_MS - 1 }).kind).toBe('retry');
    expect(outcome({ failure: failed, failingForMs: GIVE_UP_AFTER_MS })).toEqual({
      kind: 'disable',
      reason: expect.stringMatching(/5 days.*500/) as string,
    });
    expect(outcome({ failingForMs: GIVE_UP_AFTER_MS }).kind).toBe('succeeded');
  });

  it('that failed inside the service never disables the webhook', () => {
    const failingForMs = 2 * GIVE_UP_AFTER_MS;
    expect(outcome({ failure: failure('secret_unreadable'), failingForMs }).kind).toBe('retry');
    expect(outcome({ failure: failure('event_purged'), failingForMs }).kind).toBe('exhausted');
  });
});
const random = fc.double({ min: 0, max: 1, noNaN: true });

describe('the schedule of attempts', () => {
  it('varies each wait by up to a fifth', () => {
    fc.assert(
      fc.property(random, (chance) => {
        const delay = scheduledDelay(1, SCHEDULE, () => chance);
        expect(delay).toBeGreaterThanOrEqual(4_000);
        expect(delay).toBeLessThanOrEqual(6_000);
      }),
    );
    expect(scheduledDelay(1, SCHEDULE, () => 0)).toBe(4_000);
    expect(scheduledDelay(1, SCHEDULE, () => 1)).toBe(6_000);
  });

  it('does not delay an immediate retry', () => {
    expect(scheduledDelay(1, [0, 0], () => 1)).toBe(0);
  });

  it('ends with its last wait', () => {
    expect(scheduledDelay(2, SCHEDULE, () => 0.5)).toBe(300_000);
    expect(scheduledDelay(3, SCHEDULE, () => 0.5)).toBeUndefined();
    expect(scheduledDelay(1, [0], () => 0.5)).toBeUndefined();
  });

  it('never waits less than a receiver requested', () => {
    fc.assert(
      fc.property(fc.nat(86_400_000), random, (requested, chance) => {
        const delay = requestedDelay(requested, () => chance);
        expect(delay).toBeGreaterThanOrEqual(requested);
        expect(delay).toBeLessThanOrEqual(Math.ceil(requested * 1.2));
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
  ])('can be given as %j', (value, milliseconds) => {
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
    'is ignored if it is neither seconds nor a date: %j',
    (value) => {
      expect(retryAfterMs(value, NOW)).toBeUndefined();
    },
  );

  it('is within its bounds or ignored, whatever a receiver sends', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const milliseconds = retryAfterMs(value, NOW) ?? 1_000;
        expect(milliseconds).toBeGreaterThanOrEqual(1_000);
        expect(milliseconds).toBeLessThanOrEqual(86_400_000);
      }),
    );
  });
});

describe('the time of a response', () => {
  it('is the time in its Date header', () => {
    expect(responseTime('Sat, 21 Nov 2026 13:00:00 GMT', NOW).toISOString()).toBe(
      '2026-11-21T13:00:00.000Z',
    );
  });

  it.each([undefined, '', 'yesterday', '2026-11-21T13:00:00Z'])(
    'is the local time if the Date header is %j',
    (value) => {
      expect(responseTime(value, NOW)).toBe(NOW);
    },
  );
});
