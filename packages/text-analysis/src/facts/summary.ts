import type { TextRange } from '../analysis.js';
import type { Sentence } from '../text/text-parts.js';
import type { Keyword } from './keywords.js';

export interface SummarySentence extends TextRange {
  /** Source of the sentence, including Markdown signs. */
  text: string;
}

const MOST_SENTENCES = 3;
/** A summary contains at most one of this many sentences. */
const SHARE = 3;
const FEWEST_WORDS = 5;
const MOST_WORDS = 45;
/** Maximum share of a sentence that may be masked (code, addresses). */
const MOST_MASKED = 0.4;
/** Minimum number of words of a list item, which is quoted if the paragraphs have no sentence to quote. */
const FEWEST_WORDS_OF_ITEM = 8;
/** Bonus for the first sentences of a text and a paragraph. */
const LEAD = 0.5;

/**
 * Returns the sentences that cover most of the subject, in text order. Skips headings, cells and code. List items are
 * only quoted if no paragraph has a sentence to quote.
 */
export function summaryOf(
  text: string,
  sentences: readonly Sentence[],
  keywords: readonly Keyword[],
): SummarySentence[] {
  const weights = wordWeights(keywords);
  const quotable = (kind: 'paragraph' | 'list-item') =>
    sentences.flatMap((sentence, index) => {
      const { range, paragraph } = sentence;
      if (!range || paragraph.kind !== kind || !isQuotable(sentence, range, text)) return [];
      return [{ range, index, score: scoreOf(sentence, index, sentences, weights) }];
    });
  const inParagraphs = quotable('paragraph');
  const candidates = inParagraphs.length > 0 ? inParagraphs : quotable('list-item');
  const count = Math.min(MOST_SENTENCES, Math.max(1, Math.floor(candidates.length / SHARE)));
  return candidates
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, count)
    .sort((one, other) => one.index - other.index)
    .map(({ range }) => ({ text: text.slice(range.start, range.end), ...range }));
}

function isQuotable(sentence: Sentence, range: TextRange, text: string): boolean {
  const { paragraph, words } = sentence;
  const isItem = paragraph.kind === 'list-item';
  const fewest = isItem ? FEWEST_WORDS_OF_ITEM : FEWEST_WORDS;
  if (words.length < fewest || words.length > MOST_WORDS) return false;
  const original = text.slice(range.start, range.end);
  // A sentence that ends with a colon announces a list or an example. List items often have no period.
  const isWhole = isItem ? /[^:,;]$/u : /[.!?…。！？]["'”’»)\]*_]*$/u;
  if (!isWhole.test(original)) return false;
  const masked = paragraph.masked.reduce((sum, mask) => {
    const start = Math.max(mask.start + paragraph.start, range.start);
    const end = Math.min(mask.end + paragraph.start, range.end);
    return sum + Math.max(0, end - start);
  }, 0);
  return masked <= original.length * MOST_MASKED;
}

function wordWeights(keywords: readonly Keyword[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { term, score } of keywords)
    for (const word of term.toLowerCase().split(' '))
      weights.set(word, Math.max(score, weights.get(word) ?? 0));
  return weights;
}

function scoreOf(
  sentence: Sentence,
  index: number,
  sentences: readonly Sentence[],
  weights: ReadonlyMap<string, number>,
): number {
  const seen = new Set(sentence.words.map((word) => word.toLowerCase()));
  let weight = 0;
  for (const word of seen) weight += weights.get(word) ?? weights.get(word.replace(/s$/u, '')) ?? 0;
  const density = weight / Math.sqrt(sentence.words.length);
  const leadsText = index === 0 ? LEAD : 0;
  const leadsParagraph = sentences[index - 1]?.paragraph !== sentence.paragraph ? LEAD / 2 : 0;
  return density * (1 + leadsText + leadsParagraph);
}
