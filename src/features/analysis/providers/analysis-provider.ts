import type { EngineVersion, Issue } from '@document-service/text-analysis/analysis';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';
import type { Config } from '../../../platform/config/config.js';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';
import type { ModelSettings } from '../../../platform/config/model-settings.js';

export const PROVIDERS = ['offline', 'model'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

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

/** A title or a summary: for somebody to use, such as by PATCH of the document; nothing applies it (docs/adr/0023-language-models.md). */
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

/** The engine of a provider, for who does not run it. */
export function engineOf(provider: ProviderName, config: Pick<Config, 'model'>): EngineVersion {
  return provider === 'model' ? modelEngine(config.model) : OFFLINE_ENGINE;
}

/** Raised with every change of prompts and of what is kept of answers: analyses by another version are made anew. */
const VERSION = '1.0.0';

/** Another model is another engine, and so is another version of the rules that it works beside. */
export function modelEngine(settings: Pick<ModelSettings, 'model'> | undefined): EngineVersion {
  return {
    name: `model:${settings?.model ?? 'none'}`,
    version: `${VERSION}+offline.${OFFLINE_ENGINE.version}`,
  };
}
