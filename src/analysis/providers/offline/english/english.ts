import type { Check, Finding } from '../../../analysis.js';
import { readingOf, type Paragraph, type Reading } from '../prose.js';
import { wordsOf } from '../sentences.js';
import { EnglishSpelling, type EnglishLexicons, type EnglishVariant } from '../spelling/english.js';
import { englishFrequencies } from '../spelling/english-frequencies.js';
import { Harper, type HarperLint } from './harper.js';

/** What the findings of a paragraph depend on besides its own text. */
export interface EnglishSettings {
  variant: EnglishVariant;
  /** Words and phrases of the account's dictionary: nothing that touches one is a finding. */
  terms: readonly string[];
  /** Words, in lower case, that the whole text uses three times or more: names of the matter, not mistakes. */
  usedOften: ReadonlySet<string>;
  /** All when it is not there. */
  checks?: ReadonlySet<Check>;
}

/** A finding in the units of the reading, before it is mapped to the paragraph. */
export type Draft = Omit<Finding, 'original'>;

/** Finds mistakes in English. Deterministic; loads its packages once, about 250 MB. */
export class English {
  private constructor(
    private readonly harper: Harper,
    private readonly spelling: EnglishSpelling,
  ) {}

  static async load(lexicons: EnglishLexicons): Promise<English> {
    const [harper, frequencies] = await Promise.all([Harper.load(), englishFrequencies()]);
    return new English(harper, new EnglishSpelling(lexicons, frequencies));
  }

  /** Ranges are relative to the paragraph. In order, none within another. */
  async findingsOf(paragraph: Paragraph, settings: EnglishSettings): Promise<Finding[]> {
    const reading = readingOf(paragraph);
    const lints = await this.harper.lintsOf(reading.text);
    const drafts = [...this.misspellings(reading, lints, settings)];
    for (const lint of lints) if (lint.rule.name !== 'SpellCheck') drafts.push(draftOf(lint));
    const findings: Finding[] = [];
    for (const draft of drafts) {
      const range = reading.sourceOf(draft.start, draft.end);
      if (!range || range.start === range.end) continue;
      if (settings.checks && !settings.checks.has(draft.category)) continue;
      findings.push({
        ...draft,
        ...range,
        original: paragraph.prose.slice(range.start, range.end),
      });
    }
    return withoutOverlaps(findings);
  }

  private *misspellings(
    reading: Reading,
    lints: HarperLint[],
    settings: EnglishSettings,
  ): Generator<Draft> {
    for (const lint of lints) {
      if (lint.rule.name !== 'SpellCheck') continue;
      const word = reading.text.slice(lint.start, lint.end);
      const isFirst = /(?:^|[.!?:]["'”’)]?\s+["'“‘(]?)$/.test(
        reading.text.slice(Math.max(0, lint.start - 6), lint.start),
      );
      if (/^\p{Lu}/u.test(word) && !isFirst) continue;
      if (settings.usedOften.has(word.toLowerCase())) continue;
      if (this.spelling.isWord(word, settings.variant, () => false)) continue;
      const replacements = this.spelling.replacementsFor(word, settings.variant);
      yield {
        start: lint.start,
        end: lint.end,
        ruleId: 'spelling.unknown-word',
        category: 'spelling',
        severity: 'error',
        message: `"${word}" stands in no dictionary of English.`,
        explanation:
          'Neither the American nor the British dictionary knows this word. Add it to the dictionary of the account if it is right.',
        replacements,
      };
    }
  }
}

/** Used by who counts the words of a whole text for `usedOften`. */
export function wordsUsedOften(proses: Iterable<string>): Set<string> {
  const counts = new Map<string, number>();
  for (const prose of proses) {
    for (const { start, end } of wordsOf(prose)) {
      const word = prose.slice(start, end).toLowerCase();
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return new Set([...counts].filter(([, count]) => count >= 3).map(([word]) => word));
}

function draftOf(lint: HarperLint): Draft {
  const { rule } = lint;
  return {
    start: lint.start,
    end: lint.end,
    ruleId: rule.ruleId,
    category: rule.category,
    severity: rule.severity,
    message: lint.message,
    explanation: rule.explanation,
    replacements: lint.replacements
      .slice(0, 5)
      .map((value, index) => ({ value, confidence: index === 0 ? 0.8 : 0.4 })),
  };
}

/** Of two findings that overlap the shorter stays: it says more exactly what is wrong. */
function withoutOverlaps(findings: Finding[]): Finding[] {
  const kept: Finding[] = [];
  const byLength = [...findings].sort(
    (a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start,
  );
  for (const finding of byLength) {
    if (!kept.some((other) => other.start < finding.end && other.end > finding.start))
      kept.push(finding);
  }
  return kept.sort((a, b) => a.start - b.start);
}
