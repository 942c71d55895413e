const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads an ISO 8601 time with its zone; `undefined` when the text is none, or names a day that no month has. */
export function parseTimestamp(text: string): Date | undefined {
  const [, year, month, day] = TIMESTAMP.exec(text) ?? [];
  if (day === undefined) return undefined;
  // Date.parse takes 31 February for 3 March.
  const midnight = new Date(`${String(year)}-${String(month)}-${day}T00:00:00Z`);
  const time = new Date(text);
  return isWritable(time) && midnight.getUTCDate() === Number(day) ? time : undefined;
}

/** ISO 8601 writes years beyond 9999 in a form that many readers refuse. */
export const LATEST_TIME = '9999-12-31T23:59:59.999Z';

/** Whether answers can carry the time: it is one, and not after {@link LATEST_TIME}. */
export function isWritable(time: Date): boolean {
  return time.getTime() <= Date.parse(LATEST_TIME);
}
