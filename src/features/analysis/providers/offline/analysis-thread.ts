import { threadTask } from '../../../../platform/threads/thread-task.js';
import type { AnalysisResult, Issue } from '@document-service/text-analysis/analysis';
import type { EnhanceOutcome } from '../analysis-provider.js';
import type { AnalysisOutcome } from '@document-service/text-analysis/analysis-request';
import type { RuleGoal } from '@document-service/text-analysis/enhance/goals';
import { overlap } from '../../enhancements/apply-suggestions.js';
import { Engine, type Plan, type TextToAnalyze } from '@document-service/text-analysis/engine';

interface CheckInput {
  paragraphs: string;
  lints: string[];
}

/** Tasks of the thread that runs everything except Harper. */
export interface AnalysisWork {
  plan: (input: { text: TextToAnalyze }) => Promise<Plan>;
  check: (input: CheckInput) => Promise<string>;
  assemble: (input: {
    text: TextToAnalyze;
    overview: string;
    found: string[];
    /** The last piece, which is checked first: the only one of a short text, which then waits for one turn less. */
    last: CheckInput | undefined;
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
  assemble: async ({ text, overview, found, last }) => {
    const more = last ? [await loaded.check(last.paragraphs, last.lints)] : [];
    return loaded.assemble(text, overview, [...found, ...more]);
  },
  suggest: async ({ text, goals, result }) => {
    const { corrections, warnings }: Corrections =
      result === null ? { corrections: [], warnings: [] } : correctionsOf(result);
    if (goals.length === 0) return { ...outcomeOf(corrections, []), warnings };
    const { suggestions, title } = await loaded.enhance(text, goals);
    const others = suggestions
      .filter(({ status }) => status === 'open')
      // A correction wins over another change of the same passage. Hints change nothing.
      .filter((one) => {
        const isHint = one.replacements.length === 0;
        return isHint || !corrections.some((other) => overlap(one, other));
      });
    if (goals.includes('title') && title === null) warnings.push(NO_TITLE);
    return { ...outcomeOf([...corrections, ...others], title === null ? [] : [title]), warnings };
  },
});

const NO_TITLE = 'The document has no text to take a title from.';

interface Corrections {
  corrections: Issue[];
  /** Warnings about what the analysis left out. */
  warnings: string[];
}

/** Returns the open issues with replacements. */
function correctionsOf(result: string): Corrections {
  const { issues, issuesOmitted, effectiveSettings } = JSON.parse(result) as AnalysisResult;
  const isOpen = ({ status, replacements }: Issue) => status === 'open' && replacements.length > 0;
  const omitted =
    issuesOmitted > 0
      ? [
          `The text has ${String(issuesOmitted)} more issues than one enhancement can have. Apply its suggestions, and enhance the document again.`,
        ]
      : [];
  return {
    corrections: issues.filter(isOpen),
    warnings: [...effectiveSettings.warnings, ...omitted],
  };
}

function outcomeOf(
  issues: readonly Issue[],
  titles: readonly string[],
): Omit<EnhanceOutcome, 'warnings'> {
  const suggestions = issues
    .map((issue) => ({ ...issue, reason: issue.message }))
    .sort((one, other) => one.start - other.start);
  const texts = titles.map((text) => ({ goal: 'title', text, source: 'extracted' }) as const);
  return { suggestions, dropped: {}, texts };
}

export default threadTask<AnalysisTask>(({ kind, input, dictionaryFolder }) => {
  engine ??= new Engine(dictionaryFolder);
  return WORK(engine)[kind](input as never);
});
