/** Milliseconds to wait before each attempt; its length is the number of attempts. */
export type RetrySchedule = readonly number[];

/** Up to this share more or less, so that what failed together does not come again together. */
const JITTER = 0.2;
/** Bounds of what a receiver may ask for. */
const SHORTEST_ASKED_MS = 1_000;
const LONGEST_ASKED_MS = 24 * 60 * 60 * 1000;

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

/**
 * Milliseconds that the header `Retry-After` asks for, given in seconds or as an HTTP date, between a second and a day;
 * `undefined` when it is missing or neither.
 */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  const asked = millisecondsOf(value?.trim() ?? '', now);
  return asked === undefined
    ? undefined
    : Math.min(Math.max(asked, SHORTEST_ASKED_MS), LONGEST_ASKED_MS);
}

/** The time of the header `Date`, which is the receiver's clock; `otherwise` when it has none. */
export function timeOfAnswer(date: string | undefined, otherwise: Date): Date {
  return httpDate(date?.trim() ?? '') ?? otherwise;
}

function millisecondsOf(text: string, now: Date): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = httpDate(text);
  return at && at.getTime() - now.getTime();
}

/** HTTP dates end with GMT; `Date` would read one without it as a local time. */
function httpDate(text: string): Date | undefined {
  if (!/^[A-Z][a-z]+,? .* GMT$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
