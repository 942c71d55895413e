const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** When the clocks of a time zone show a local time. */
export interface Occurrences {
  /** Two if the clocks show the time twice, the earlier one first. */
  instants: readonly Date[];
  /** True if the clocks skip the time. The instant is as much later as they skip. */
  isSkipped: boolean;
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Returns the instants of a local time, such as `2026-01-31T14:00`; undefined if it is no time. */
export function occurrencesOf(local: string, zone: string): Occurrences | undefined {
  const asUtc = LOCAL_TIME.test(local) ? Date.parse(`${local}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return undefined;
  // The offsets before and after any change of the clocks on this day.
  const before = offsetAt(asUtc - DAY_MS, zone);
  const after = offsetAt(asUtc + DAY_MS, zone);
  const instants = [...new Set([before, after])]
    .map((offset) => ({ offset, time: asUtc - offset }))
    .filter(({ offset, time }) => offsetAt(time, zone) === offset)
    .map(({ time }) => time)
    .sort((one, other) => one - other);
  if (instants.length === 0) return { instants: [new Date(asUtc - before)], isSkipped: true };
  return { instants: instants.map((time) => new Date(time)), isSkipped: false };
}

/** Returns the local time at an instant, such as `2026-01-31T14:00`. */
export function localTimeAt(instant: Date, zone: string): string {
  const time = instant.getTime();
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16);
}

/** Returns the difference between local time and UTC, such as `UTC+05:45`. */
export function offsetName(instant: Date, zone: string): string {
  return offsetText(instant.getTime(), zone).replace('GMT', 'UTC');
}

/** Returns how far the local time is ahead of UTC, in ms. */
function offsetAt(time: number, zone: string): number {
  const [, sign, hours = '0', minutes = '0'] =
    /([+-])(\d+):(\d+)/.exec(offsetText(time, zone)) ?? [];
  const amount = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return sign === '-' ? -amount : amount;
}

/** Formats of the zones in use. Creating one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns `GMT+05:45`. */
function offsetText(time: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
}

/** Returns the zone of the browser. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns whether a text is the IANA name of a time zone. Browsers know more names than they list. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Returns the IANA names of all time zones, the one of the browser and UTC first. */
export function allZones(): string[] {
  return [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** Returns "12 Dec 2026, 09:00 (Europe/Berlin)". */
export function timeInZone(at: Date, zone: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: zone } as const;
  return `${new Intl.DateTimeFormat('en-GB', format).format(at)} (${zone})`;
}
