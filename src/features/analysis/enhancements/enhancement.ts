import type {
  AnalysisSettings,
  Issue,
  IssueStatus,
} from '@document-service/text-analysis/analysis';
import type { ProposedText } from '../providers/analysis-provider.js';

/**
 * `pending` while it is made, and `failed` when that cannot be done. Then it is what has become of its suggestions, see
 * {@link statusOf}.
 */
export const ENHANCEMENT_STATUSES = [
  'pending',
  'failed',
  'proposed',
  'applied',
  'partially_applied',
  'rejected',
  'stale',
] as const;
export type EnhancementStatus = (typeof ENHANCEMENT_STATUSES)[number];
/** What has failed is known by its job alone. */
export type StoredEnhancementStatus = Exclude<EnhancementStatus, 'failed'>;

/** A change that is proposed, and what became of it. */
export interface Suggestion extends Issue {
  reason: string;
  /** The replacement that was applied. */
  chosen: string | null;
  /** The version of the document that it made. */
  appliedVersion: number | null;
}

export type SuggestionCounts = Record<IssueStatus, number>;

/** What decides what is proposed, beside the text, the goals and the rules of the account. */
export interface EnhancementSettings extends AnalysisSettings {
  /** For the goal `tone`, such as `formal`. */
  tone: string | null;
  /** For the goal `translate`. */
  targetLanguage: string | null;
}

/** What happened while an enhancement was made that the client should know. */
export interface EnhancementNotes {
  /** Edits that were not kept, by why. */
  dropped: Record<string, number>;
  warnings: string[];
  /** A title or a summary that a model made; left out when there is none. */
  texts?: ProposedText[];
}

export function countsOf(suggestions: readonly Suggestion[]): SuggestionCounts {
  const counts: SuggestionCounts = { open: 0, accepted: 0, rejected: 0, stale: 0 };
  for (const { status } of suggestions) counts[status] += 1;
  return counts;
}

/**
 * What has become of an enhancement whose suggestions are so: nothing yet (`proposed`), or all or some were applied; else
 * none can be applied any more, because the text changed (`stale`) or somebody said no (`rejected`).
 */
export function statusOf({
  open,
  accepted,
  rejected,
  stale,
}: SuggestionCounts): StoredEnhancementStatus {
  if (accepted > 0) return open + rejected + stale === 0 ? 'applied' : 'partially_applied';
  if (open > 0) return 'proposed';
  if (stale > 0) return 'stale';
  return rejected > 0 ? 'rejected' : 'proposed';
}
