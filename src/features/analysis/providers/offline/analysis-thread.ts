import { threadTask } from '../../../../platform/threads/thread-task.js';
import type { Issue } from '@document-service/text-analysis/analysis';
import type { EnhanceOutcome } from '../analysis-provider.js';
import type { AnalysisOutcome } from '@document-service/text-analysis/analysis-request';
import type { RuleGoal } from '@document-service/text-analysis/enhance/goals';
import { overlap } from '../../enhancements/apply-suggestions.js';
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
  suggest: (input: {
    text: TextToAnalyze;
    goals: readonly RuleGoal[];
    /** JSON text of the analysis for the goal `correct`, or null. */
    result: string | null;
  }) => Promise<EnhanceOutcome>;
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
  suggest: async ({ text, goals, result }) => {
    const corrections = result === null ? [] : correctionsOf(result);
    if (goals.length === 0) return outcomeOf(corrections, []);
    const { suggestions, title } = await loaded.enhance(text, goals);
    const others = suggestions
      .filter(({ status }) => status === 'open')
      // A correction wins over another change of the same passage. Hints change nothing.
      .filter((one) => {
        const isHint = one.replacements.length === 0;
        return isHint || !corrections.some((other) => overlap(one, other));
      });
    const outcome = outcomeOf([...corrections, ...others], title === null ? [] : [title]);
    return goals.includes('title') && title === null
      ? { ...outcome, warnings: [NO_TITLE] }
      : outcome;
  },
});

const NO_TITLE = 'The document has no text to take a title from.';

/** Returns the open issues with replacements. */
function correctionsOf(result: string): Issue[] {
  const { issues } = JSON.parse(result) as { issues: Issue[] };
  return issues.filter(({ status, replacements }) => status === 'open' && replacements.length > 0);
}

function outcomeOf(issues: readonly Issue[], titles: readonly string[]): EnhanceOutcome {
  const suggestions = issues
    .map((issue) => ({ ...issue, reason: issue.message }))
    .sort((one, other) => one.start - other.start);
  const texts = titles.map((text) => ({ goal: 'title', text, source: 'extracted' }) as const);
  return { suggestions, dropped: {}, warnings: [], texts };
}

export default threadTask<AnalysisTask>(({ kind, input, dictionaryFolder }) => {
  engine ??= new Engine(dictionaryFolder);
  return WORK(engine)[kind](input as never);
});
