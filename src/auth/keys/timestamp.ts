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

/** Whether answers can carry the time: ISO 8601 writes years beyond 9999 in a form that many readers refuse. */
export function isWritable(time: Date): boolean {
  return !Number.isNaN(time.getTime()) && time.getUTCFullYear() <= 9999;
}
