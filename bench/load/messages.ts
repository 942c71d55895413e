import type { Choice, LineName } from '../ordinary/traffic.js';

/** A fixed number of requests per second, evenly spread, whether or not responses arrive in time. */
export interface PacedJob {
  kind: 'paced';
  /** For example http://127.0.0.1:3000 */
  origin: string;
  /** Sent in turn. */
  requests: { path: string; key: string }[];
  connections: number;
  perSecond: number;
  seconds: number;
}

/** As many requests as the connections can carry. Each sends a different one after each response. */
export interface VariedJob {
  kind: 'varied';
  origin: string;
  /** Path of a JSON file with the accounts. */
  tenants: string;
  choice: Choice;
  line: LineName;
  seed: number;
  connections: number;
  seconds: number;
}

export type LoadJob = PacedJob | VariedJob;

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
  /** p99 of the requests of all accounts but the first tenth. */
  p99OfSmall: number;
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
