import type { AccountRules, AnalysisSettings, EngineVersion, Issue } from '@document-service/text-analysis/analysis';

export const TEXT_FORMATS = ['markdown', 'plain'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export const PROVIDERS = ['offline', 'model'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

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

export interface EnhanceRequest extends Omit<AnalysisRequest, 'kept'> {
  goals: readonly Goal[];
  instructions: string | null;
  /** For the goal `tone`, such as `formal`. */
  tone: string | null;
  /** For the goal `translate`. */
  targetLanguage: string | null;
}

export interface EnhanceOutcome {
  suggestions: ProposedEdit[];
  /** Edits of a model that were not kept, by why. */
  dropped: Record<string, number>;
  warnings: string[];
  /** What goals have made that stands in no passage. */
  texts?: ProposedText[];
}

/** A title or a summary: for somebody to use, such as by PATCH of the document; nothing applies it (docs/adr/0047-a-model-beside-the-rules.md). */
export interface ProposedText {
  goal: 'title' | 'summarise';
  text: string;
}

/** One change of a text. Ranges are in the text that was sent. */
export interface ProposedEdit extends Issue {
  reason: string;
}

/** `correct` mends what the analysis finds; the others need a model. */
export const GOALS = [
  'correct',
  'tone',
  'shorten',
  'expand',
  'summarise',
  'translate',
  'title',
  'custom',
] as const;
export type Goal = (typeof GOALS)[number];

/** Looks at texts. Never changes one, and never reads the database. */
export interface AnalysisProvider {
  readonly name: ProviderName;
  readonly engine: EngineVersion;
  readonly goals: readonly Goal[];
  /** Rejects with a `JobCrash` when the text ends its thread, and with the reason of `signal`. */
  analyze(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisOutcome>;
  /** Rejects as {@link analyze} does, and with an `AppError` for a goal that the provider does not have. */
  enhance(
    request: EnhanceRequest,
    signal: AbortSignal,
    report?: (progress: { done: number; total: number | null }) => void,
  ): Promise<EnhanceOutcome>;
}
