/** Milliseconds to wait before each attempt; its length is the number of attempts. */
export type RetrySchedule = readonly number[];

/** Up to this share more or less, so that what failed together does not come again together. */
const JITTER = 0.2;

/**
 * Milliseconds to wait after attempt `number` (counted from 1) has failed, or `undefined` when it was the last. `random`
 * gives numbers from 0 to 1.
 */
export function delayAfter(
  number: number,
  schedule: RetrySchedule,
  random: () => number,
): number | undefined {
  const delay = schedule[number];
  return delay === undefined ? undefined : Math.round(delay * (1 + JITTER * (2 * random() - 1)));
}

/** The time a receiver asked for, never less and up to a fifth more. */
export function delayAsAsked(milliseconds: number, random: () => number): number {
  return Math.round(milliseconds * (1 + JITTER * random()));
}
