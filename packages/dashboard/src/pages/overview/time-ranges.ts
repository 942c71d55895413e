type RangeName = '24h' | '7d' | '30d';

interface TimeRange {
  name: RangeName;
  /** Name of the range in its tab and charts. */
  text: string;
  step: 'hour' | 'day';
  /** Number of steps, including the current one. */
  points: number;
}

export const TIME_RANGES: readonly TimeRange[] = [
  { name: '24h', text: '24 hours', step: 'hour', points: 24 },
  { name: '7d', text: '7 days', step: 'hour', points: 7 * 24 },
  { name: '30d', text: '30 days', step: 'day', points: 30 },
];

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };

/** Returns the range in the URL. Default: the first one. */
export function rangeNamed(name: string | undefined): TimeRange {
  return TIME_RANGES.find((range) => range.name === name) ?? (TIME_RANGES[0] as TimeRange);
}

/** Returns the start of the first step of a range that ends now. */
export function beginOf({ step, points }: TimeRange, now: Date): string {
  const stepMs = STEP_MS[step];
  const present = Math.floor(now.getTime() / stepMs) * stepMs;
  return new Date(present - (points - 1) * stepMs).toISOString();
}
