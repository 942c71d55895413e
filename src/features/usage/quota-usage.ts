/** An account's use of one quota. */
export interface QuotaUsage {
  /** `null` is unlimited. */
  limit: number | null;
  used: number;
  /** `null` if there is no limit; 0 also for an account that exceeds it. */
  remaining: number | null;
}

/** An account's use of one window of requests. */
export interface WindowUsage {
  limit: number | null;
  /** Requests in the running window; `null` if nothing limits the account and nothing is counted. */
  used: number | null;
  remaining: number | null;
  /** ISO 8601 in UTC. */
  resetAt: string | null;
}
