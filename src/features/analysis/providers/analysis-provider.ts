import type { EngineVersion, Issue } from '@document-service/text-analysis/analysis';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';

export const PROVIDERS = ['offline', 'model'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export interface EnhanceRequest extends Omit<AnalysisRequest, 'kept'> {
  goals: readonly Goal[];
  instructions: string | null;
  /** Tone for the goal `tone`, such as `formal`. */
  tone: string | null;
  /** Language for the goal `translate`. */
  targetLanguage: string | null;
}

export interface EnhanceOutcome {
  suggestions: ProposedEdit[];
  /** Number of discarded model edits by reason. */
  dropped: Record<string, number>;
  warnings: string[];
  /** Titles and summaries. */
  texts?: ProposedText[];
}

/** A title or summary, which the service never applies. Clients can PATCH it into the document (docs/adr/0023-language-models.md). */
export interface ProposedText {
  goal: 'title' | 'summarise';
  text: string;
}

/** One change to a text. Ranges refer to the text of the request. */
export interface ProposedEdit extends Issue {
  reason: string;
}

/** `correct` fixes what the analysis finds. The other goals need a model. */
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

/** Analyzes texts and proposes changes. Providers never change texts. */
export interface AnalysisProvider {
  readonly name: ProviderName;
  readonly engine: EngineVersion;
  readonly goals: readonly Goal[];
  /** Rejects with a `JobCrash` if the text crashes its thread, and with the reason of `signal`. */
  analyze(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisOutcome>;
  /** Rejects as {@link analyze} does, and with an `AppError` for a goal that the provider does not support. */
  enhance(
    request: EnhanceRequest,
    signal: AbortSignal,
    report?: (progress: { done: number; total: number | null }) => void,
  ): Promise<EnhanceOutcome>;
}
