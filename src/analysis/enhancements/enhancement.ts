import type { Issue } from '../analysis.js';

export const ENHANCEMENT_STATUSES = [
  'proposed',
  'applied',
  'partially_applied',
  'rejected',
  'stale',
] as const;
export type EnhancementStatus = (typeof ENHANCEMENT_STATUSES)[number];

/** A change that is proposed, and what became of it. `chosen` is the replacement that was applied. */
export interface Suggestion extends Issue {
  reason: string;
  appliedVersion: number | null;
}

/** What happened while an enhancement was made that the client should know. */
export interface EnhancementNotes {
  /** Edits of a model that were not kept, by why. */
  dropped: Record<string, number>;
  warnings: string[];
}
