const COUNT = new Intl.NumberFormat('en');

/** Formats 12345 as 12,345. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Formats a number with its noun: 1 document, 2 documents. */
export function countOf(count: number, singular: string, plural?: string): string {
  return `${formatCount(count)} ${nounOf(count, singular, plural)}`;
}

/** Returns the noun that follows a number: document for 1, documents for 2. */
export function nounOf(count: number, singular: string, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}

/** Formats 1234 ms as 1.2 s. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${String(Math.round(ms / 60_000))} min`;
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Formats 1536 as 1.5 KB, with units of 1,024. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1_024 && unit < BYTE_UNITS.length - 1) {
    amount /= 1_024;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 100 ? 0 : 1;
  return `${amount.toFixed(digits)} ${BYTE_UNITS[unit] ?? ''}`;
}
