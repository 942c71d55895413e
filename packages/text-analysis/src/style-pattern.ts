import { RE2JS } from 're2js';
import type { StyleRule } from './analysis.js';
import { patternSize } from './pattern-size.js';

/** Maximum number of instructions of one pattern: about 10 ms to compile and up to 0.6 s to search 8,000 characters. */
export const MAX_PATTERN_INSTRUCTIONS = 5_000;
/** Patterns are compiled up to this estimate, which is too high if RE2 merges alternatives. It takes at most 50 ms. */
const MAX_ESTIMATED_INSTRUCTIONS = 4 * MAX_PATTERN_INSTRUCTIONS;
/** Maximum number of instructions of all patterns and phrases of a version: about 50 MB and 1 s. */
export const MAX_SET_INSTRUCTIONS = 250_000;
/** Maximum number of characters in all patterns of a version, because character classes use memory beyond instructions. */
export const MAX_SET_PATTERN_CHARACTERS = 100_000;

/** Thrown if the patterns of a version exceed a limit. `limit` counts `unit`s. */
export class PatternLimitError extends Error {
  override readonly name = 'PatternLimitError';

  constructor(
    message: string,
    readonly limit: number,
    readonly unit: string,
  ) {
    super(message);
  }
}

/** A rule that a pattern searches for. */
export type SearchedRule = Exclude<StyleRule, { kind: 'accepted' }>;

/** Compiles a case-insensitive pattern. Throws RE2 syntax errors. */
export function compilePattern(source: string): RE2JS {
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
}

/** Returns the pattern of a rule. */
export function patternOf(rule: SearchedRule): string {
  switch (rule.kind) {
    case 'pattern':
    case 'occurrence':
      return rule.pattern;
    case 'banned':
      return phrasePattern(rule.phrases);
    case 'replacement':
      return phrasePattern(rule.from);
  }
}

/** Compiles the patterns of a version within its limits. Uses time and memory, so call it in a thread. */
export class PatternSet {
  private instructions = 0;
  private characters = 0;

  /** Share of a version's limits that the compiled patterns use, from 0 to 2. */
  get share(): number {
    return this.instructions / MAX_SET_INSTRUCTIONS + this.characters / MAX_SET_PATTERN_CHARACTERS;
  }

  /** Throws RE2 syntax errors, and {@link PatternLimitError} if the patterns exceed the limits of a version. */
  compile(rule: SearchedRule): RE2JS {
    const source = patternOf(rule);
    if (rule.kind === 'pattern' || rule.kind === 'occurrence') this.characters += source.length;
    if (this.characters > MAX_SET_PATTERN_CHARACTERS) {
      throw tooLarge('are longer', MAX_SET_PATTERN_CHARACTERS, 'characters');
    }
    const pattern = compilePattern(source);
    this.instructions += pattern.programSize();
    if (this.instructions > MAX_SET_INSTRUCTIONS) {
      throw tooLarge('compile to more', MAX_SET_INSTRUCTIONS, 'instructions');
    }
    return pattern;
  }
}

/** Explains an RE2 syntax error. */
export function syntaxProblem(error: unknown): string {
  const why = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : '';
  return `must be an RE2 pattern, which cannot contain look-around or back-references: ${why}`;
}

/** Returns the problem of a pattern that takes too long to compile: 1,000 characters can take seconds and 50 MB. */
export function uncompiledPatternProblem(source: string): string | undefined {
  const size = patternSize(source);
  return size > MAX_ESTIMATED_INSTRUCTIONS ? tooLargeAlone(`about ${withCommas(size)}`) : undefined;
}

/** Returns the problem of a compiled pattern, or undefined if it is usable. */
export function compiledPatternProblem(pattern: RE2JS): string | undefined {
  const size = pattern.programSize();
  if (size > MAX_PATTERN_INSTRUCTIONS) return tooLargeAlone(withCommas(size));
  return pattern.matcher('').matches() ? 'must not match the empty text' : undefined;
}

function tooLargeAlone(size: string): string {
  return `is too large: it compiles to ${size} instructions, and a pattern can have at most ${withCommas(MAX_PATTERN_INSTRUCTIONS)}. Use smaller repetitions.`;
}

function withCommas(count: number): string {
  return count.toLocaleString('en');
}

function tooLarge(verb: string, limit: number, unit: string): PatternLimitError {
  return new PatternLimitError(
    `These style rules are too large: together, their patterns ${verb} than ${withCommas(limit)} ${unit}. Use fewer rules, shorter patterns or smaller repetitions.`,
    limit,
    unit,
  );
}

/** Matches whole words, longest phrase first. A space in a phrase matches any white space. */
function phrasePattern(phrases: readonly string[]): string {
  const alternatives = [...phrases]
    .sort((one, other) => other.length - one.length)
    .map((phrase) => {
      const source = phrase
        .trim()
        .split(/\s+/u)
        .map((word) => RE2JS.quote(word))
        .join('\\s+');
      const before = /^\w/u.test(phrase.trim()) ? '\\b' : '';
      const after = /\w$/u.test(phrase.trim()) ? '\\b' : '';
      return before + source + after;
    });
  return `(?:${alternatives.join('|')})`;
}
