const DAY = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME = /[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9})\d*)?)?/;
const ZONE = /(?:[Zz]|([+ -])(\d{2}):(\d{2}))$/;
const MOMENT = new RegExp(`${DAY.source}(?:$|${TIME.source}${ZONE.source})`);

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** The range of times that PostgreSQL and `Date` both write with four-digit years. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses a time filter in ISO 8601 and returns the first whole millisecond at or after it. Stored times have
 * milliseconds, so comparing with the result is exact. A day means its start in UTC. A time needs a zone. A space counts
 * as a `+` that the client forgot to encode. Returns `undefined` for any other text.
 */
export function parseMoment(text: string): Date | undefined {
  const time = readTime(text);
  return time === undefined
    ? undefined
    : new Date(Math.min(Math.max(Math.ceil(time), FIRST), LAST));
}

/**
 * Parses every incoming time. Returns milliseconds since 1970 with a fraction, or `undefined`. As in ISO 8601, 24:00:00
 * is the end of the day. A leap second (23:59:60 UTC) counts as the following second.
 */
function readTime(text: string): number | undefined {
  const parts = MOMENT.exec(text)?.slice(1) as (string | undefined)[] | undefined;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.map((part) => Number(part ?? 0)) as Six;
  const [fraction = '0', sign, offsetHour = '0', offsetMinute = '0'] = parts.slice(6);
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const milliseconds = second * 1_000 + Number(`0.${fraction}`) * 1_000;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const minutes = hour * 60 + minute - offset;
  const isDay = new Date(midnight).getUTCMonth() === month - 1;
  const isLastMinute = (minutes + 1) % DAY_MINUTES === 0;
  const isEndOfDay = hour === 24 && minute === 0 && milliseconds === 0;
  const isTime = isOfDay(hour, minute) || isEndOfDay;
  if (!isDay || !isTime || !isOfDay(Number(offsetHour), Number(offsetMinute))) return undefined;
  if (second > (isLastMinute ? 60 : 59)) return undefined;
  return midnight + minutes * MINUTE_MS + milliseconds;
}

function isOfDay(hour: number, minute: number): boolean {
  return hour <= 23 && minute <= 59;
}

type Six = [number, number, number, number, number, number];

/** A date, a time and a zone, all required in bodies. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Parses an ISO 8601 time with a zone, to the millisecond. Returns `undefined` for any other text. */
export function parseTimestamp(text: string): Date | undefined {
  const time = TIMESTAMP.test(text) ? readTime(text) : undefined;
  if (time === undefined) return undefined;
  const date = new Date(Math.floor(time));
  return isWritable(date) ? date : undefined;
}

/** Parses text that has already been validated. */
export function validTimestamp(text: string): Date {
  const time = parseTimestamp(text);
  if (!time) throw new Error('A validated time cannot be parsed.');
  return time;
}

/** Many parsers reject the ISO 8601 form of years after 9999. */
export const LATEST_TIME = '9999-12-31T23:59:59.999Z';

/** True for a valid time not after {@link LATEST_TIME}. */
export function isWritable(time: Date): boolean {
  return time.getTime() <= Date.parse(LATEST_TIME);
}
