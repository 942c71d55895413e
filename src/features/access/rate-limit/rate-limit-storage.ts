import type { Window, WindowLimits } from '../auth/plan.js';

/** The counter of one window of an account after a take. */
export interface WindowState {
  /** Requests counted in the running window, this one included when it was admitted. */
  used: number;
  /** When the window ends, in UTC epoch milliseconds of the storage's clock; of one not begun, when it would. */
  resetAt: number;
}

export interface Take {
  admitted: boolean;
  /** The storage's clock at the decision, UTC epoch milliseconds. */
  now: number;
  windows: Record<Window, WindowState>;
}

/** Injection token of the storage in use, see `rate-limit.module.ts`. */
export const RATE_LIMIT_STORAGE = Symbol('RateLimitStorage');

/**
 * Counts requests of accounts in fixed windows that start at the first request. PostgreSQL and Redis implement it and
 * share one conformance suite.
 */
export interface RateLimitStorage {
  /**
   * Takes one request from all three windows in one atomic step, or from none when any of them is full: a refused
   * request counts nowhere and begins no window. Rejects when the storage cannot answer.
   */
  take(accountId: string, limits: WindowLimits): Promise<Take>;

  /** What is counted, without taking anything; begins no window. Rejects when the storage cannot answer. */
  look(accountId: string, limits: WindowLimits): Promise<Take>;
}
