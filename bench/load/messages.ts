import type { LineName } from '../ordinary/traffic.js';

/** One request of a load; `headers` come on top of the job's. */
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
  /** Every connection walks through a random part of these, over and over. */
  requests: LoadRequest[];
  connections: number;
  seconds: number;
}

/** As many requests as the connections can carry: each sends its next one when it has its answer. */
export interface SaturatingJob extends LoadTarget {
  kind: 'saturating';
  warmUpSeconds: number;
}

/** A fixed number of requests per second, evenly spread, whether or not answers come back in time. */
export interface PacedJob extends LoadTarget {
  kind: 'paced';
  perSecond: number;
}

/** The same, with another request each time, drawn by the load process itself. */
export interface VariedJob {
  kind: 'varied';
  /** Connections are shared out among them. */
  origins: string[];
  /** The file of the accounts, as JSON. */
  tenants: string;
  line: LineName;
  seed: number;
  connections: number;
  seconds: number;
}

export type LoadJob = SaturatingJob | PacedJob | VariedJob;

/** What came back. Latencies in milliseconds, over all answers whatever their status. */
export interface LoadResult {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Answers by HTTP status. */
  statuses: Record<string, number>;
  /** Requests without an answer: connection errors and time-outs. */
  errors: number;
}

export interface VariedResult extends LoadResult {
  /** What was wrong with answers, the first of them. */
  faults: string[];
  /** Creates and changes that were answered rightly. */
  writes: number;
  /** What the load process itself used. */
  processorSeconds: number;
}

/** What a job results in. */
export type ResultOf<Job extends LoadJob> = Job extends VariedJob ? VariedResult : LoadResult;

/** The worker's reply over the process channel. */
export type LoadReply = { result: LoadResult } | { failure: string };

/** Answers outside 2xx, plus requests without an answer. */
export function countFailures(result: LoadResult): number {
  return Object.entries(result.statuses).reduce(
    (failures, [status, count]) => (status.startsWith('2') ? failures : failures + count),
    result.errors,
  );
}
