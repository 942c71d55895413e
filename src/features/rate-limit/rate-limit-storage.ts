import type { Window, WindowLimits } from '../auth/plan.js';

/** The state of one window of an account after a request. */
export interface WindowState {
  /** Requests counted in the running window, including this one if it was admitted. */
  used: number;
  /** When the window ends, or would end if it began now. UTC epoch milliseconds of the storage's clock. */
  resetAt: number;
}

export interface Take {
  admitted: boolean;
  /** The storage's clock at the decision, UTC epoch milliseconds. */
  now: number;
  windows: Record<Window, WindowState>;
}

/** Injection token of the storage that `rate-limit.module.ts` chooses. */
export const RATE_LIMIT_STORAGE = Symbol('RateLimitStorage');

/**
 * Counts requests per account in fixed windows that start at the first request. The PostgreSQL and Redis implementations
 * share one conformance suite.
 */
export interface RateLimitStorage {
  /**
   * Atomically takes one request from all three windows, or from none if any is full. A refused request is not counted
   * and starts no window. Rejects if the storage is unavailable.
   */
  take(accountId: string, limits: WindowLimits): Promise<Take>;

  /** Reads the counts without taking a request or starting a window. Rejects if the storage is unavailable. */
  look(accountId: string, limits: WindowLimits): Promise<Take>;
}
