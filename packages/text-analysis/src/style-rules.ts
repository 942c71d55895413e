import { createHash } from 'node:crypto';
import type { RE2JS } from 're2js';
import type { Finding, StyleRule, TextRange } from './analysis.js';
import { PatternSet, type SearchedRule } from './style-pattern.js';
import { withTerms, type Paragraph } from './text/prose.js';
import { readingOf, type Reading } from './text/reading.js';
import { sentencesOf, wordsOf } from './text/sentences.js';

const TOO_MANY =
  'A paragraph has more findings of style rules than an analysis reports. Correct the reported ones, and analyze the text again.';
const EXPLANATION = 'This is a rule of your house style.';
/** Maximum number of findings per rule and paragraph. */
const MAX_FINDINGS = 200;
/** Maximum number of findings of all rules in a paragraph: this many, and one for each stretch of so many units. */
const FINDINGS_OF_PARAGRAPH = { base: 5, units: 4 };
/** Maximum length of a finding in UTF-16 units. A longer one is reported at its first word, without a replacement. */
const MAX_LENGTH = 1_000;

type OccurrenceRule = Extract<StyleRule, { kind: 'occurrence' }>;
type PatternRule = Exclude<SearchedRule, OccurrenceRule>;

/** A rule and its compiled pattern. */
interface CompiledRule<Rule extends SearchedRule = SearchedRule> {
  rule: Rule;
  pattern: RE2JS;
}

/** The compiled style rules of an account. Searching takes linear time: RE2 has no look-around or back-references. */
export class CompiledStyleRules {
  private readonly searched: CompiledRule[];
  /** Words and phrases that other rules must accept. */
  readonly acceptedWords: readonly string[];
  private readonly patterns = new PatternSet();

  /** Throws {@link PatternLimitError} for rules that predate the limits of a version and exceed them. */
  constructor(private readonly rules: readonly StyleRule[]) {
    this.acceptedWords = rules.flatMap((rule) => (rule.kind === 'accepted' ? rule.words : []));
    this.searched = rules
      .filter((rule) => rule.kind !== 'accepted')
      .map((rule) => ({ rule, pattern: this.patterns.compile(rule) }));
  }

  /** Memory use of the compiled rules, as in {@link PatternSet.share}. */
  get share(): number {
    return this.patterns.share;
  }

  /** Returns the rules without the slowest ones, so that a search takes at most so many ns per UTF-16 unit. */
  within(ns: number): StyleRule[] {
    const costs = this.searched.map((one) => ({ rule: one.rule, cost: costOf(one) }));
    const omitted = new Set<StyleRule>();
    let sum = 0;
    for (const { rule, cost } of costs.sort((one, other) => one.cost - other.cost)) {
      sum += cost;
      if (sum > ns) omitted.add(rule);
    }
    return this.rules.filter((rule) => !omitted.has(rule));
  }

  /** Returns findings in text order, with ranges relative to the paragraph. Passes to `warn` what it leaves out. */
  findingsOf(masked: Paragraph, warn: (warning: string) => void = () => undefined): Finding[] {
    if (this.searched.length === 0) return [];
    const paragraph = withTerms(masked);
    const reading = readingOf(paragraph);
    const findings: Finding[] = [];
    const most = FINDINGS_OF_PARAGRAPH.base + masked.prose.length / FINDINGS_OF_PARAGRAPH.units;
    for (const { rule, pattern } of this.searched) {
      const found =
        rule.kind === 'occurrence'
          ? tooMany({ rule, pattern }, paragraph, reading)
          : matches({ rule, pattern }, paragraph, reading);
      for (const finding of found) {
        if (findings.length >= most) {
          warn(TOO_MANY);
          return inOrder(findings);
        }
        findings.push(finding);
      }
    }
    return inOrder(findings);
  }
}

/** Returns the time of a search in the worst case, in ns per UTF-16 unit. Repetitions make all instructions work at once. */
function costOf({ rule, pattern }: CompiledRule): number {
  const isPattern = rule.kind === 'pattern' || rule.kind === 'occurrence';
  return pattern.programSize() * (isPattern ? 15 : 1.5);
}

function inOrder(findings: Finding[]): Finding[] {
  return findings.sort((one, other) => one.start - other.start || one.end - other.end);
}

function* matches(
  { rule, pattern }: CompiledRule<PatternRule>,
  paragraph: Paragraph,
  reading: Reading,
): Generator<Finding> {
  const matcher = pattern.matcher(reading.text);
  let count = 0;
  while (count < MAX_FINDINGS && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    const range = end > start ? reading.sourceOf(start, end) : null;
    if (!range) continue;
    const original = paragraph.prose.slice(range.start, range.end);
    const value = replacementOf(rule, reading.text.slice(start, end));
    if (value === original) continue;
    count += 1;
    const place = isLong(range) ? firstWordIn(reading, start, end) : range;
    if (place) {
      const message = rule.message ?? messageOf(rule, original, value);
      const replacements =
        value === undefined || place !== range ? [] : [{ value, confidence: 0.9 }];
      yield { ...findingAt(place, paragraph, rule, message), replacements };
    }
  }
}

/** Yields sentences and paragraphs that exceed the limit of an occurrence rule. */
function* tooMany(
  { rule, pattern }: CompiledRule<OccurrenceRule>,
  paragraph: Paragraph,
  reading: Reading,
): Generator<Finding> {
  const whole = { start: 0, end: reading.text.length };
  for (const { start, end } of rule.scope === 'sentence' ? sentencesOf(reading.text) : [whole]) {
    const matcher = pattern.matcher(reading.text.slice(start, end));
    let count = 0;
    while (matcher.find()) count += 1;
    if (count <= rule.max) continue;
    const range = reading.sourceOf(start, end);
    // Findings about a sentence that is long or has code are reported at its first words.
    const place = range && !isLong(range) ? range : firstWordIn(reading, start, end);
    const message =
      rule.message ??
      `Your house style allows at most ${String(rule.max)} of these in a ${rule.scope}. This one has ${String(count)}.`;
    if (place) yield { ...findingAt(place, paragraph, rule, message), replacements: [] };
  }
}

function findingAt(
  range: TextRange,
  { prose }: Paragraph,
  rule: SearchedRule,
  message: string,
): Omit<Finding, 'replacements'> {
  return {
    ...range,
    ruleId: `house-style.${rule.id}`,
    category: 'house-style',
    severity: rule.severity,
    message,
    explanation: EXPLANATION,
    original: prose.slice(range.start, range.end),
  };
}

function isLong({ start, end }: TextRange): boolean {
  return end - start > MAX_LENGTH;
}

function firstWordIn(reading: Reading, start: number, end: number): TextRange | null {
  for (const word of wordsOf(reading.text.slice(start, end))) {
    const range = reading.sourceOf(start + word.start, start + word.end);
    if (range) return range;
  }
  return null;
}

/** Returns the replacement for a match, or undefined if the rule has none. */
function replacementOf(rule: PatternRule, match: string): string | undefined {
  if (rule.kind === 'pattern') return rule.replacement ?? undefined;
  return rule.kind === 'replacement' ? withCaseOf(match, rule.to) : undefined;
}

/** Applies the case of a match: `Utilize` becomes `Use`, `UTILIZE` becomes `USE`. */
function withCaseOf(match: string, to: string): string {
  if (match.length > 1 && match === match.toUpperCase() && match !== match.toLowerCase())
    return to.toUpperCase();
  const [first = ''] = match;
  const isCapitalised = first !== first.toLowerCase();
  return isCapitalised ? to.charAt(0).toUpperCase() + to.slice(1) : to;
}

function messageOf(rule: PatternRule, original: string, value: string | undefined): string {
  if (original.length > MAX_LENGTH)
    return `Your style rule ${rule.id} matches a long passage here.`;
  if (value === undefined) return `Your house style does not use "${original}".`;
  return value === ''
    ? `Your house style omits "${original}".`
    : `Your house style uses "${value}" instead of "${original}".`;
}

const MAX_ENTRIES = 50;
/** Limit of the sum of {@link CompiledStyleRules.share}: about 200 MB at worst. */
const MAX_SHARE = 2;

/** Caches compiled style rules, because every piece of a text needs its account's style. */
export class StyleRulesCache {
  /** By a hash of the rules, least recently used first. */
  private readonly compiled = new Map<string, CompiledStyleRules>();

  /** Throws as the constructor of {@link CompiledStyleRules} does. */
  get(rules: readonly StyleRule[]): CompiledStyleRules {
    const key = createHash('sha256').update(JSON.stringify(rules)).digest('base64');
    const known = this.compiled.get(key);
    this.compiled.delete(key);
    const style = known ?? new CompiledStyleRules(rules);
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
