import type {
  AnalysisSettings,
  Issue,
  IssueStatus,
} from '@document-service/text-analysis/analysis';
import type { ProposedText } from '../providers/analysis-provider.js';

/** States of an enhancement. All states except `pending` and `failed` follow from its suggestions, see {@link statusOf}. */
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
/** `failed` is not stored, because it follows from the state of the job. */
export type StoredEnhancementStatus = Exclude<EnhancementStatus, 'failed'>;

/** The category and source of proposed changes. */
export const PROPOSAL = 'proposal';

/** A proposed change and its review state. */
export interface Suggestion extends Omit<Issue, 'category' | 'source'> {
  category: Issue['category'] | typeof PROPOSAL;
  source: Issue['source'] | typeof PROPOSAL;
  reason: string;
  /** The replacement that was applied. */
  chosen: string | null;
  /** The document version that applied it. */
  appliedVersion: number | null;
}

/** A proposed change of the title or of one member of the metadata, and its review state. */
export interface FieldChange {
  id: string;
  /** `title`, or `metadata.` and the name of a member. */
  field: string;
  /** JSON text of the value that the change replaces; null if the member did not exist. */
  from: string | null;
  /** JSON text of the new value; null removes the member. */
  to: string | null;
  reason: string;
  status: IssueStatus;
  /** The document version that applied it. */
  appliedVersion: number | null;
}

export type SuggestionCounts = Record<IssueStatus, number>;

/** Settings of an enhancement besides its goals and instructions. */
export interface EnhancementSettings extends AnalysisSettings {
  /** For the goal `tone`, such as `formal`. */
  tone: string | null;
  /** For the goal `translate`. */
  targetLanguage: string | null;
}

/** Information about an enhancement for the client. */
export interface EnhancementNotes {
  /** Number of discarded edits by reason. */
  dropped: Record<string, number>;
  warnings: string[];
  /** Titles and summaries. Absent in older enhancements without one; `source` is absent in older ones by a model. */
  texts?: (Omit<ProposedText, 'source'> & Partial<Pick<ProposedText, 'source'>>)[];
}

export function countsOf(suggestions: readonly Pick<Suggestion, 'status'>[]): SuggestionCounts {
  const counts: SuggestionCounts = { open: 0, accepted: 0, rejected: 0, stale: 0 };
  for (const { status } of suggestions) counts[status] += 1;
  return counts;
}

/**
 * Returns the status of an enhancement from its suggestions: `applied` or `partially_applied` if any was applied, else
 * `proposed` if any is open, else `stale` or `rejected`. Without suggestions it is `proposed`.
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
