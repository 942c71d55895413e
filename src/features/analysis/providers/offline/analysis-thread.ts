import { threadTask } from '../../../../platform/threads/thread-task.js';
import type { Issue } from '@document-service/text-analysis/analysis';
import type { EnhanceOutcome } from '../analysis-provider.js';
import type { AnalysisOutcome } from '@document-service/text-analysis/analysis-request';
import { Engine, type Plan, type TextToAnalyze } from '@document-service/text-analysis/engine';

/** Tasks of the thread that runs everything except Harper. */
export interface AnalysisWork {
  plan: (input: { text: TextToAnalyze }) => Promise<Plan>;
  check: (input: { paragraphs: string; lints: string | null }) => Promise<string>;
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
  dictionaryFolder: string | undefined;
}

/** Loads its packages when a text first needs them. */
let engine: Engine | undefined;

const WORK = (loaded: Engine): AnalysisWork => ({
  plan: ({ text }) => loaded.plan(text),
  check: ({ paragraphs, lints }) => loaded.check(paragraphs, lints),
  assemble: ({ text, overview, found }) => loaded.assemble(text, overview, found),
  suggest: ({ result }) => Promise.resolve(suggestionsOf(result)),
});

/** Converts open issues with replacements to suggestions. */
function suggestionsOf(result: string): EnhanceOutcome {
  const { issues } = JSON.parse(result) as { issues: Issue[] };
  const suggestions = issues
    .filter(({ status, replacements }) => status === 'open' && replacements.length > 0)
    .map((issue) => ({ ...issue, reason: issue.message }));
  return { suggestions, dropped: {}, warnings: [] };
}

export default threadTask<AnalysisTask>(({ kind, input, dictionaryFolder }) => {
  engine ??= new Engine(dictionaryFolder);
  return WORK(engine)[kind](input as never);
});
