const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Reads `90s`, `15m`, `24h`, `30d` or `2w`, and a bare number as seconds; the result is in seconds. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text.trim()) ?? [];
  const seconds = SECONDS[unit];
  return digits === undefined || seconds === undefined ? undefined : Number(digits) * seconds;
}
