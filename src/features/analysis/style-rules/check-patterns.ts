import {
  AppError,
  invalidFields,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import type { StyleRule } from '@document-service/text-analysis/analysis';
import {
  compiledPatternProblem,
  PatternLimitError,
  PatternSet,
  syntaxProblem,
  uncompiledPatternProblem,
} from '@document-service/text-analysis/style-pattern';

/** Time limit for all patterns of a version. Rules within the limits of a version compile in a second or less. */
const COMPILE_LIMIT_MS = 5_000;

/** Returns the problem of the pattern at `index`, or undefined for a valid pattern. */
type PatternCheck = (rule: StyleRule, index: number) => string | undefined;

/**
 * Returns a check for the rules of one version. It throws `unprocessable` if the rules together are too large or take too
 * long to compile. It retains all compiled patterns, so the thread's memory limit applies to the whole version.
 */
export function patternCheck(): PatternCheck {
  const set = new PatternSet();
  const compiled: unknown[] = [];
  const deadline = performance.now() + COMPILE_LIMIT_MS;
  return (rule, index) => {
    if (rule.kind === 'accepted') return undefined;
    if (performance.now() > deadline) throw tooSlow(rule, index);
    const hasOwnPattern = rule.kind === 'pattern' || rule.kind === 'occurrence';
    const problem = hasOwnPattern ? uncompiledPatternProblem(rule.pattern) : undefined;
    if (problem !== undefined) return problem;
    try {
      const pattern = set.compile(rule);
      compiled.push(pattern);
      return hasOwnPattern ? compiledPatternProblem(pattern) : undefined;
    } catch (error) {
      if (error instanceof PatternLimitError) {
        const { message, limit, unit } = error;
        const field = `rules[${String(index)}]`;
        throw new AppError(
          'unprocessable',
          `${message} ${nameOf(rule, index)} exceeds the limit.`,
          {
            limit,
            unit,
            field,
          },
        );
      }
      return syntaxProblem(error);
    }
  };
}

/** Throws `bad_request` that names each invalid pattern, and the errors of {@link patternCheck}. */
export function checkPatterns(rules: readonly StyleRule[]): void {
  const check = patternCheck();
  const [first, ...others] = rules.flatMap((rule, index): FieldProblem[] => {
    const issue = check(rule, index);
    return issue === undefined ? [] : [{ field: `rules[${String(index)}].pattern`, issue }];
  });
  if (first) throw invalidFields([first, ...others]);
}

/** Names a rule by its position and its id, because an import has no positions. */
function nameOf({ id }: StyleRule, index: number): string {
  return `rules[${String(index)}] (${id})`;
}

function tooSlow(rule: StyleRule, index: number): AppError {
  return new AppError(
    'unprocessable',
    `These style rules take too long to compile: ${nameOf(rule, index)} and later rules were not checked. Use fewer rules or simpler patterns.`,
    { field: `rules[${String(index)}]` },
  );
}
