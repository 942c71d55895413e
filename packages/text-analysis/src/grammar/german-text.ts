import type { Check, Finding, Severity } from '../analysis.js';
import type { Paragraph } from '../text/prose.js';
import { type Reading, readingOf } from '../text/reading.js';

export interface GermanRule {
  ruleId: string;
  category: Check;
  severity: Severity;
  explanation: string;
}

export interface Token {
  word: string;
  lower: string;
  start: number;
  end: number;
  /** Text between this word and the next one. */
  gap: string;
  startsSentence: boolean;
}

/** The words of a paragraph. */
export class GermanText {
  readonly tokens: readonly Token[];
  private readonly reading: Reading;

  constructor(private readonly paragraph: Paragraph) {
    this.reading = readingOf(paragraph);
    this.tokens = tokensOf(this.reading.text);
  }

  /** Returns a finding for a range with its replacements, or undefined if it touches a mask. */
  finding(
    { ruleId, category, severity, explanation }: GermanRule,
    { start, end }: { start: number; end: number },
    values: readonly string[],
    confidence: number,
    message: string,
  ): Finding | undefined {
    const { paragraph } = this;
    const range = this.reading.sourceOf(start, end);
    if (!range) return undefined;
    return {
      ruleId,
      category,
      severity,
      message,
      explanation,
      start: paragraph.start + range.start,
      end: paragraph.start + range.end,
      original: paragraph.prose.slice(range.start, range.end),
      replacements: values.map((value, index) => ({
        value,
        confidence: index === 0 ? confidence : Math.round((1 - confidence) * 50) / 100 / index,
      })),
    };
  }

  isMasked({ start }: Token): boolean {
    return this.reading.isMasked(start);
  }

  /** Returns true if the source has the same characters between two words, and no markup. */
  isPlain(one: Token, other: Token): boolean {
    const range = this.reading.sourceOf(one.start, other.end);
    return range !== null && range.end - range.start === other.end - one.start;
  }
}

const WORDS = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+)*/gu;

function tokensOf(text: string): Token[] {
  const matches = [...text.matchAll(WORDS)];
  return matches.map((match, index) => {
    const [word] = match;
    const end = match.index + word.length;
    const before = index === 0 ? '' : text.slice(Math.max(0, match.index - 4), match.index);
    return {
      word,
      lower: word.toLowerCase(),
      start: match.index,
      end,
      gap: text.slice(end, matches[index + 1]?.index ?? text.length),
      startsSentence: index === 0 || /[.!?:]["“”»’)]*\s+["„»‚(]*$/u.test(before),
    };
  });
}
