import { RE2JS } from 're2js';
import type { Finding, StyleRule } from '../../analysis.js';
import { readingOf, type Paragraph } from './prose.js';

const EXPLANATION = 'A rule of your own house style.';
/** Of one rule in one paragraph. */
const MAX_FINDINGS = 200;

type PatternRule = Exclude<StyleRule, { kind: 'accepted' }>;

interface CompiledRule {
  rule: PatternRule;
  pattern: RE2JS;
  /** What to write in the place of a match; undefined where the rule does not say. */
  replacementOf: (match: string) => string | undefined;
}

/** An account's own rules. Patterns take linear time: RE2, without look-around and back-references. */
export class HouseStyle {
  private readonly rules: CompiledRule[];
  /** Words and phrases that are right, whatever other rules say. */
  readonly acceptedWords: readonly string[];

  constructor(rules: readonly StyleRule[]) {
    this.acceptedWords = rules.flatMap((rule) => (rule.kind === 'accepted' ? rule.words : []));
    this.rules = rules.filter((rule) => rule.kind !== 'accepted').map(compiled);
  }

  /** Ranges are relative to the paragraph. */
  findingsOf(paragraph: Paragraph): Finding[] {
    if (this.rules.length === 0) return [];
    const reading = readingOf(paragraph);
    return this.rules.flatMap(({ rule, pattern, replacementOf }) => {
      const findings: Finding[] = [];
      const matcher = pattern.matcher(reading.text);
      while (findings.length < MAX_FINDINGS && matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        const range = end > start ? reading.sourceOf(start, end) : null;
        if (!range) continue;
        const original = paragraph.prose.slice(range.start, range.end);
        const value = replacementOf(reading.text.slice(start, end));
        if (value === original) continue;
        findings.push({
          ...range,
          ruleId: `house-style.${rule.id}`,
          category: 'house-style',
          severity: rule.severity,
          message: rule.message ?? messageOf(original, value),
          explanation: EXPLANATION,
          original,
          replacements: value === undefined ? [] : [{ value, confidence: 0.9 }],
        });
      }
      return findings;
    });
  }
}

/** What is wrong with a pattern; undefined for a right one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).matcher('').matches()
      ? 'must not match the empty text'
      : undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : '';
    return `must be a pattern of RE2, which has no look-around and no back-references: ${why}`;
  }
}

function compiled(rule: PatternRule): CompiledRule {
  if (rule.kind === 'pattern') {
    const { replacement } = rule;
    const pattern = RE2JS.compile(rule.pattern, RE2JS.CASE_INSENSITIVE);
    return { rule, pattern, replacementOf: () => replacement ?? undefined };
  }
  const phrases = rule.kind === 'banned' ? rule.phrases : rule.from;
  const pattern = RE2JS.compile(phrasePattern(phrases), RE2JS.CASE_INSENSITIVE);
  const to = rule.kind === 'replacement' ? rule.to : undefined;
  return { rule, pattern, replacementOf: (match) => to && withCaseOf(match, to) };
}

/** Whole words, the longest phrase first; blanks of a phrase match any white space. */
function phrasePattern(phrases: readonly string[]): string {
  const alternatives = [...phrases]
    .sort((one, other) => other.length - one.length)
    .map((phrase) => {
      const source = phrase.trim().split(/\s+/u).map((word) => RE2JS.quote(word)).join('\\s+');
      const before = /^\w/u.test(phrase.trim()) ? '\\b' : '';
      const after = /\w$/u.test(phrase.trim()) ? '\\b' : '';
      return before + source + after;
    });
  return `(?:${alternatives.join('|')})`;
}

/** `Utilize` becomes `Use`, `UTILIZE` becomes `USE`. */
function withCaseOf(match: string, to: string): string {
  if (match.length > 1 && match === match.toUpperCase() && match !== match.toLowerCase())
    return to.toUpperCase();
  const [first = ''] = match;
  const isCapitalised = first !== first.toLowerCase();
  return isCapitalised ? to.charAt(0).toUpperCase() + to.slice(1) : to;
}

function messageOf(original: string, value: string | undefined): string {
  if (value === undefined) return `Your house style does not use "${original}".`;
  return value === ''
    ? `Your house style leaves out "${original}".`
    : `Your house style writes "${value}" for "${original}".`;
}
