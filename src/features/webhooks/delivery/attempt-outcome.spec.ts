import { attemptOutcome, GIVE_UP_AFTER_MS, type EndedAttempt } from './attempt-outcome.js';
import { failure, statusFailure } from './failure.js';

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

describe('after an attempt', () => {
  it.each([200, 201, 202, 204, 299])('that was answered %d nothing more is sent', (status) => {
    expect(outcome({ failure: statusFailure(status) })).toEqual({ kind: 'succeeded' });
  });

  it.each([100, 301, 302, 307, 308, 400, 401, 404, 408, 409, 422, 429, 500, 502, 503, 600])(
    'that was answered %d there is another one by the schedule',
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

  it('that was the last of the schedule the delivery has failed', () => {
    expect(outcome({ failure: failure('answer_timeout', '15'), number: 3 })).toEqual({
      kind: 'exhausted',
    });
    expect(outcome({ failure: statusFailure(429), number: 3, retryAfterMs: 1_000 })).toEqual({
      kind: 'exhausted',
    });
  });

  it('that was answered with Retry-After that time is waited for instead', () => {
    expect(outcome({ failure: statusFailure(429), retryAfterMs: 60_000 })).toEqual({
      kind: 'retry',
      delayMs: 66_000,
    });
  });

  it('that was answered 410 the webhook is disabled', () => {
    expect(outcome({ failure: statusFailure(410) })).toEqual({
      kind: 'disable',
      reason: expect.stringMatching(/410 Gone/) as string,
    });
  });

  it('the webhook is disabled when all have failed for 5 days, not before', () => {
    const failed = statusFailure(500);
    expect(outcome({ failure: failed, failingForMs: GIVE_UP_AFTER_MS - 1 }).kind).toBe('retry');
    expect(outcome({ failure: failed, failingForMs: GIVE_UP_AFTER_MS })).toEqual({
      kind: 'disable',
      reason: expect.stringMatching(/5 days.*500/) as string,
    });
    expect(outcome({ failingForMs: GIVE_UP_AFTER_MS }).kind).toBe('succeeded');
  });

  it('that failed for a reason of ours the webhook stays', () => {
    const failingForMs = 2 * GIVE_UP_AFTER_MS;
    expect(outcome({ failure: failure('secret_unreadable'), failingForMs }).kind).toBe('retry');
    expect(outcome({ failure: failure('event_purged'), failingForMs }).kind).toBe('exhausted');
  });
});
