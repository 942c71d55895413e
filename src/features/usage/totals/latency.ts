/** Upper bounds of the latency buckets in ms. The last bucket has none. */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000,
] as const;

export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

/** Returns the index of the bucket of a duration. */
export function bucketOf(durationMs: number): number {
  const found = LATENCY_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
  return found === -1 ? LATENCY_BOUNDS_MS.length : found;
}

/**
 * Returns a percentile in ms, such as the median for `share` 0.5, interpolated linearly within its bucket. Returns the
 * lower bound of the last bucket for values in it, and `null` if nothing was counted.
 */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * share;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
      const to = LATENCY_BOUNDS_MS[bucket] ?? from;
      const within = from + ((to - from) * (wanted - below)) / count;
      return Math.round(within * 100) / 100;
    }
    below += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
