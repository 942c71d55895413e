import { createHash } from 'node:crypto';
import type { RE2JS } from 're2js';
import type { Finding, StyleRule, TextRange } from './analysis.js';
import { PatternSet } from './style-pattern.js';
import { withTerms, type Paragraph } from './text/prose.js';
import { readingOf, type Reading } from './text/reading.js';
import { sentencesOf, wordsOf } from './text/sentences.js';

const EXPLANATION = 'This is a rule of your house style.';
/** Maximum number of findings per rule and paragraph. */
const MAX_FINDINGS = 200;

type OccurrenceRule = Extract<StyleRule, { kind: 'occurrence' }>;
type PatternRule = Exclude<StyleRule, { kind: 'accepted' | 'occurrence' }>;

interface CompiledRule {
  rule: PatternRule;
  pattern: RE2JS;
  /** Returns the replacement for a match, or undefined if the rule has none. */
  replacementOf: (match: string) => string | undefined;
}

/** The compiled house rules of an account. Searching takes linear time: RE2 has no look-around or back-references. */
export class HouseStyle {
  private readonly rules: CompiledRule[];
  private readonly occurrences: { rule: OccurrenceRule; pattern: RE2JS }[];
  /** Words and phrases that other rules must accept. */
  readonly acceptedWords: readonly string[];
  private readonly patterns = new PatternSet();

  /** Throws {@link PatternLimitError} for rules that predate the limits of a version and exceed them. */
  constructor(rules: readonly StyleRule[]) {
    const { patterns } = this;
    this.acceptedWords = rules.flatMap((rule) => (rule.kind === 'accepted' ? rule.words : []));
    this.rules = rules
      .filter((rule) => rule.kind !== 'accepted')
      .filter((rule) => rule.kind !== 'occurrence')
      .map((rule) => compiled(rule, patterns));
    this.occurrences = rules
      .filter((rule) => rule.kind === 'occurrence')
      .map((rule) => ({ rule, pattern: patterns.compile(rule) }));
  }

  /** Memory use of the compiled rules, as in {@link PatternSet.share}. */
  get share(): number {
    return this.patterns.share;
  }

  /** Returns findings with ranges relative to the paragraph. */
  findingsOf(masked: Paragraph): Finding[] {
    if (this.rules.length + this.occurrences.length === 0) return [];
    const paragraph = withTerms(masked);
    const reading = readingOf(paragraph);
    return [...this.matchesIn(paragraph, reading), ...this.tooManyIn(paragraph, reading)];
  }

  private matchesIn(paragraph: Paragraph, reading: Reading): Finding[] {
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

  /** Returns sentences and paragraphs that exceed the limit of an occurrence rule. */
  private tooManyIn(paragraph: Paragraph, reading: Reading): Finding[] {
    const whole = { start: 0, end: reading.text.length };
    return this.occurrences.flatMap(({ rule, pattern }) => {
      const ranges = rule.scope === 'sentence' ? sentencesOf(reading.text) : [whole];
      return ranges.flatMap(({ start, end }): Finding[] => {
        const matcher = pattern.matcher(reading.text.slice(start, end));
        let count = 0;
        while (matcher.find()) count += 1;
        // Findings about a sentence with code are reported at its first words.
        const range = reading.sourceOf(start, end) ?? firstWordIn(reading, start, end);
        if (count <= rule.max || !range) return [];
        return [
          {
            ...range,
            ruleId: `house-style.${rule.id}`,
            category: 'house-style',
            severity: rule.severity,
            message:
              rule.message ??
              `Your house style allows at most ${String(rule.max)} of these in a ${rule.scope}. This one has ${String(count)}.`,
            explanation: EXPLANATION,
            original: paragraph.prose.slice(range.start, range.end),
            replacements: [],
          },
        ];
      });
    });
  }
}

function firstWordIn(reading: Reading, start: number, end: number): TextRange | null {
  for (const word of wordsOf(reading.text.slice(start, end))) {
    const range = reading.sourceOf(start + word.start, start + word.end);
    if (range) return range;
  }
  return null;
}

function compiled(rule: PatternRule, patterns: PatternSet): CompiledRule {
  const pattern = patterns.compile(rule);
  if (rule.kind === 'pattern') {
    const { replacement } = rule;
    return { rule, pattern, replacementOf: () => replacement ?? undefined };
  }
  const to = rule.kind === 'replacement' ? rule.to : undefined;
  return { rule, pattern, replacementOf: (match) => to && withCaseOf(match, to) };
}

/** Applies the case of a match: `Utilize` becomes `Use`, `UTILIZE` becomes `USE`. */
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
    ? `Your house style omits "${original}".`
    : `Your house style uses "${value}" instead of "${original}".`;
}

const MAX_ENTRIES = 50;
/** Limit of the sum of {@link HouseStyle.share}: about 200 MB at worst. */
const MAX_SHARE = 2;

/** Caches compiled house styles, because every piece of a text needs its account's style. */
export class HouseStyleCache {
  /** By a hash of the rules, least recently used first. */
  private readonly compiled = new Map<string, HouseStyle>();

  /** Throws as the constructor of {@link HouseStyle} does. */
  get(rules: readonly StyleRule[]): HouseStyle {
    const key = createHash('sha256').update(JSON.stringify(rules)).digest('base64');
    const known = this.compiled.get(key);
    this.compiled.delete(key);
    const style = known ?? new HouseStyle(rules);
    this.evict(MAX_ENTRIES - 1, MAX_SHARE - style.share);
    this.compiled.set(key, style);
    return style;
  }

  private evict(entries: number, share: number): void {
    let sum = [...this.compiled.values()].reduce((total, style) => total + style.share, 0);
    for (const [key, style] of this.compiled) {
      if (this.compiled.size <= entries && sum <= share) return;
      this.compiled.delete(key);
      sum -= style.share;
    }
  }
}
