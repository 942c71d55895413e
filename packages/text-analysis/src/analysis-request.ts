import type { AccountRules, AnalysisSettings, Scores, TextRange } from './analysis.js';

export const TEXT_FORMATS = ['markdown', 'plain'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export interface AnalysisRequest {
  /** UUID of the account that owns the text. Accounts take turns. */
  accountId: string;
  content: string;
  format: TextFormat;
  settings: AnalysisSettings;
  rules: AccountRules;
  /** Ids of issues that were dismissed in this document. */
  dismissed: readonly string[];
  /** JSON text of the `KeptParagraph`s of the document's latest analysis, or null. */
  kept: string | null;
  /** Checks only the paragraphs that overlap these ranges. The others are context. Default: all paragraphs. */
  ranges?: readonly TextRange[];
  /** Variants of detected languages, such as `en-GB`. Without one, English is checked as American or British. */
  preferredVariants?: readonly string[];
  /** True for a text whose sender waits, such as an editor. Fewer style rules apply if they take long. */
  isInteractive?: boolean;
  /** True for background work, which never uses the threads for short texts. */
  isBackground?: boolean;
}

/**
 * The result of an analysis. JSON texts pass through the process unparsed: parsing a long one would block the event
 * loop.
 */
export interface AnalysisOutcome {
  /** JSON text of an `AnalysisResult`. */
  result: string;
  /** JSON text of `KeptParagraph`s. */
  paragraphs: string;
  overall: number | null;
  /** The summary that an event contains. */
  digest: AnalysisDigest;
}

export interface AnalysisDigest {
  language: string;
  scores: Scores;
  issueCounts: { error: number; warning: number; style: number };
}
