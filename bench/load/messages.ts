import type { LineName } from '../ordinary/traffic.js';

/** A request of a load. `headers` are added to the job's. */
export interface LoadRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

interface LoadTarget {
  /** For example http://127.0.0.1:3000 */
  origin: string;
  headers: Record<string, string>;
  /** Every connection repeats a random selection of these. */
  requests: LoadRequest[];
  connections: number;
  seconds: number;
}

/** As many requests as the connections can carry. Each sends the next one after a response. */
export interface SaturatingJob extends LoadTarget {
  kind: 'saturating';
  warmUpSeconds: number;
}

/** A fixed number of requests per second, evenly spread, whether or not responses arrive in time. */
export interface PacedJob extends LoadTarget {
  kind: 'paced';
  perSecond: number;
}

/** Like {@link SaturatingJob}, but the load process draws a different request each time. */
export interface VariedJob {
  kind: 'varied';
  /** Connections are divided among them. */
  origins: string[];
  /** Path of a JSON file with the accounts. */
  tenants: string;
  line: LineName;
  seed: number;
  connections: number;
  seconds: number;
}

export type LoadJob = SaturatingJob | PacedJob | VariedJob;

/** The result of a job. Latencies are in milliseconds, over all responses whatever their status. */
export interface LoadResult {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Responses by HTTP status. */
  statuses: Record<string, number>;
  /** Requests without a response: connection errors and timeouts. */
  errors: number;
}

export interface VariedResult extends LoadResult {
  /** The first problems found in responses. */
  faults: string[];
  /** Creates and changes with correct responses. */
  writes: number;
  /** CPU time of the load process itself. */
  processorSeconds: number;
}

/** The result of a kind of job. */
export type ResultOf<Job extends LoadJob> = Job extends VariedJob ? VariedResult : LoadResult;

/** The worker's reply over the process channel. */
export type LoadReply = { result: LoadResult } | { failure: string };

/** Responses other than 2xx, plus requests without a response. */
export function countFailures(result: LoadResult): number {
  return Object.entries(result.statuses).reduce(
    (failures, [status, count]) => (status.startsWith('2') ? failures : failures + count),
    result.errors,
  );
}
