import type { AccountRules, AnalysisSettings } from './analysis.js';

export const TEXT_FORMATS = ['markdown', 'plain'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export interface AnalysisRequest {
  /** Whose text it is: accounts take turns. A UUID. */
  accountId: string;
  content: string;
  format: TextFormat;
  settings: AnalysisSettings;
  rules: AccountRules;
  /** Ids of issues that were dismissed in this document. */
  dismissed: readonly string[];
  /** JSON text of the `KeptParagraph`s of the document's newest analysis; null when there is none. */
  kept: string | null;
  /** True for work that nobody waits for: it leaves the threads for short texts alone, whatever its length. */
  isBackground?: boolean;
}

/** The JSON texts pass through the process without being parsed: those of a long document would hold up its event loop. */
export interface AnalysisOutcome {
  /** Of an `AnalysisResult`. */
  result: string;
  /** Of the `KeptParagraph`s. */
  paragraphs: string;
  overall: number | null;
  /** What an event tells. */
  digest: AnalysisDigest;
}

export interface AnalysisDigest {
  language: string;
  scores: Record<'overall' | 'correctness' | 'clarity' | 'engagement', number | null>;
  issueCounts: { error: number; warning: number; style: number };
}
