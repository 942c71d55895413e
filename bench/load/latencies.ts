import { percentile } from '../statistics.js';
import type { LoadResult } from './messages.js';

/** Collects latencies one by one. */
export class Latencies {
  private readonly milliseconds: number[] = [];
  private readonly statuses: Record<string, number> = {};
  private errors = 0;

  answered(status: number, milliseconds: number): void {
    this.milliseconds.push(milliseconds);
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }

  failed(): void {
    this.errors += 1;
  }

  summarize(seconds: number): LoadResult {
    const sorted = Float64Array.from(this.milliseconds).sort();
    return {
      requestsPerSecond: sorted.length / seconds,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      statuses: this.statuses,
      errors: this.errors,
    };
  }
}
