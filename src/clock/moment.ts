const DAY = /^(\d{4})-(\d{2})-(\d{2})/;
const TIME = /[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9})\d*)?)?/;
const ZONE = /(?:[Zz]|([+ -])(\d{2}):(\d{2}))$/;
const MOMENT = new RegExp(`${DAY.source}(?:$|${TIME.source}${ZONE.source})`);

/** The moments that PostgreSQL and `Date` both know in four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * What a list is filtered by: the first whole millisecond at or after a time of ISO 8601. Times are kept in milliseconds,
 * so comparing with it is comparing with the time itself. A day is its beginning in UTC; a time needs its zone. A `+`
 * that a client forgot to encode arrives as a space and is read as one. `undefined` for anything else.
 */
export function parseMoment(text: string): Date | undefined {
  const parts = MOMENT.exec(text)?.slice(1) as (string | undefined)[] | undefined;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.map((part) => Number(part ?? 0)) as Six;
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = parts.slice(6);
  // Second 60 is a leap second; it is read as the second after it.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const seconds = (hour * 60 + minute) * 60 + second;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  const time =
    midnight + (seconds - offset) * 1000 + Math.ceil(Number(`0.${fraction || '0'}`) * 1000);
  return new Date(Math.min(Math.max(time, FIRST), LAST));
}

type Six = [number, number, number, number, number, number];
