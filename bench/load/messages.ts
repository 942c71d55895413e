import type { Choice, RequestKind } from '../ordinary/traffic.js';

/** Each connection sends a different request after each response, as fast as possible or at a pace. */
export interface Load {
  line: RequestKind;
  connections: number;
  choice?: Choice;
  /** Requests per second, evenly spread. Then latency counts from the time when a request was due. */
  perSecond?: number;
}

export interface LoadJob extends Load {
  /** For example http://127.0.0.1:3000 */
  origin: string;
  /** Path of a JSON file with the accounts. */
  tenants: string;
  seed: number;
  seconds: number;
}

/** The result of a job. Latencies are in milliseconds, over all responses whatever their status. */
export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** p99 of the requests of all accounts but the first tenth. */
  p99OfSmall: number;
  /** The first wrong or missing responses. */
  faults: string[];
  /** Creates and changes with correct responses. */
  writes: number;
}

/** The worker's reply over the process channel. */
export type LoadReply = { result: LoadResult } | { failure: string };
