import type { EngineVersion, Issue } from '@document-service/text-analysis/analysis';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';
import { RULE_GOALS } from '@document-service/text-analysis/enhance/goals';

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
  /** `extracted`: words of the document. `model`: written by a model. */
  source: TextSource;
}

export const TEXT_SOURCES = ['extracted', 'model'] as const;
type TextSource = (typeof TEXT_SOURCES)[number];

/** One change to a text. Ranges refer to the text of the request. */
export interface ProposedEdit extends Issue {
  reason: string;
}

/** `correct` fixes what the analysis finds. */
export const GOALS = [
  'correct',
  'consistency',
  'simplify',
  'clarity',
  'rewrite',
  'tone',
  'shorten',
  'expand',
  'summarise',
  'translate',
  'title',
  'custom',
] as const;
export type Goal = (typeof GOALS)[number];

/** Goals in requests, with the American spelling of `summarise`. */
export const REQUESTED_GOALS = [...GOALS, 'summarize'] as const;
export type RequestedGoal = (typeof REQUESTED_GOALS)[number];

/** Returns requested goals under their stored names, each once. */
export function goalsOf(requested: readonly RequestedGoal[]): Goal[] {
  return [...new Set(requested.map((goal) => (goal === 'summarize' ? 'summarise' : goal)))];
}

/** Goals that need no language model. */
export const OFFLINE_GOALS = ['correct', ...RULE_GOALS] as const satisfies readonly Goal[];

export function isOfflineGoal(goal: Goal): goal is (typeof OFFLINE_GOALS)[number] {
  return OFFLINE_GOALS.some((one) => one === goal);
}

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
