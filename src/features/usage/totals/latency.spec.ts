import fc from 'fast-check';
import { bucketOf, LATENCY_BOUNDS_MS, LATENCY_BUCKETS, percentile } from './latency.js';

const durations = fc.array(fc.double({ min: 0, max: 30_000, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
});

function counted(values: readonly number[]): number[] {
  const counts = new Array<number>(LATENCY_BUCKETS).fill(0);
  for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1;
  return counts;
}

describe('A latency percentile', () => {
  it('is in the same bucket as the exact percentile', () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.95, 0.99), (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
        const found = percentile(counted(values), share) ?? -1;
        const bucket = bucketOf(exact);
        expect(found).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[bucket - 1] ?? 0);
        expect(found).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[bucket] ?? Infinity);
      }),
    );
  });

  it('is interpolated within its bucket', () => {
    expect(percentile(counted([15, 15, 15, 15]), 0.5)).toBe(15);
    expect(percentile(counted([0.5, 150]), 0.95)).toBe(190);
  });

  it('is the lower bound of the last bucket for values in it, and null without values', () => {
    expect(percentile(counted([90_000]), 0.5)).toBe(30_000);
    expect(percentile(counted([]), 0.5)).toBeNull();
  });
});
