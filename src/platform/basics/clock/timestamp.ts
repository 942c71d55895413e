import { readTime } from './moment.js';

/** A day, a time and its zone: what a body says is complete, and nothing in it was lost on the way. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads an ISO 8601 time with its zone, to the millisecond; `undefined` when the text is none. */
export function parseTimestamp(text: string): Date | undefined {
  const time = TIMESTAMP.test(text) ? readTime(text) : undefined;
  if (time === undefined) return undefined;
  const date = new Date(Math.floor(time));
  return isWritable(date) ? date : undefined;
}

/** The same of a text that was found to be one. */
export function validTimestamp(text: string): Date {
  const time = parseTimestamp(text);
  if (!time) throw new Error('A time that was found valid is none.');
  return time;
}

/** ISO 8601 writes years beyond 9999 in a form that many readers refuse. */
export const LATEST_TIME = '9999-12-31T23:59:59.999Z';

/** Whether answers can carry the time: it is one, and not after {@link LATEST_TIME}. */
export function isWritable(time: Date): boolean {
  return time.getTime() <= Date.parse(LATEST_TIME);
}
