/** Returns an ISO 8601 time as people type it, `2026-01-31 14:00` in local time. Empty without a time. */
export function localTime(iso: string | null | undefined): string {
  const time = new Date(iso ?? '');
  if (Number.isNaN(time.getTime())) return '';
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

const TYPED = /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}):(\d{2}))?$/;

/** Returns a typed local time as ISO 8601; a date alone is its start. Undefined if it is no time. */
export function timeIn(text: string): string | undefined {
  const [, day, hours = '0', minutes = '00'] = TYPED.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const time = new Date(`${day}T${hours.padStart(2, '0')}:${minutes}:00`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
