import type { JobKind } from '../jobs/job-kind.js';

/** What jobs that look at one text have in common: a provider computes in threads of its own, or waits for a model. */
export const ANALYSIS_JOB = {
  scope: 'documents:analyze',
  runsIn: 'process',
  limits: {
    // They mostly wait for threads or a model; the threads share themselves among accounts.
    atOnce: 8,
    atOncePerAccount: 2,
    long: { atOnce: 3, atOncePerAccount: 2 },
    unfinishedPerAccount: 100,
    timeLimitMs: 10 * 60 * 1000,
    tries: 3,
  },
} as const satisfies Pick<JobKind, 'scope' | 'runsIn' | 'limits'>;
