import { threadTask } from '../../../threads/thread-task.js';
import type { AnalysisOutcome, AnalysisRequest, EnhanceOutcome } from '../analysis-provider.js';

/** A text with all that decides what is found in it. */
export type TextToAnalyze = Omit<AnalysisRequest, 'accountId'>;

/** A part of a long text, as JSON text. */
export interface Plan {
  pieces: string[];
  overview: string;
}

/** What threads do. */
export interface AnalysisWork {
  analyze: (input: { text: TextToAnalyze }) => Promise<AnalysisOutcome>;
  plan: (input: { text: TextToAnalyze }) => Promise<Plan>;
  check: (input: { piece: string }) => Promise<string>;
  assemble: (input: {
    text: TextToAnalyze;
    overview: string;
    found: string[];
  }) => Promise<AnalysisOutcome>;
  suggest: (input: { result: string }) => Promise<EnhanceOutcome>;
}

export interface AnalysisTask {
  kind: keyof AnalysisWork;
  input: unknown;
}

export default threadTask<AnalysisTask>(() => {
  throw new Error('The engine is not here yet.');
});
