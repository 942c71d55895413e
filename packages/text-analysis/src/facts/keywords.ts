import { readSections, wordsIn } from '../data-file.js';
import { functionWords } from '../language/function-words.js';
import type { Paragraph } from '../text/prose.js';
import { hasSentences, type Sentence, stretchesOfParagraph } from '../text/text-parts.js';

export interface Keyword {
  /** A word or phrase in its most frequent form. */
  term: string;
  /** 0 to 1. The first in the list has 1. */
  score: number;
  /** Uses in prose and headings. */
  count: number;
}

const MOST_KEYWORDS = 10;
/** Maximum number of words in a phrase. */
const LONGEST_PHRASE = 3;
const SHORTEST_TERM = 3;
/** Minimum length in Han and kana, where words have fewer characters. */
const SHORTEST_UNSPACED_TERM = 2;
/** Weight of a use in a heading, relative to one in a sentence. */
const WEIGHT_IN_HEADINGS = 2;
/** Weight of a repeated phrase, relative to its words. */
const WEIGHT_OF_PHRASES = 2;

/** Words that are common in English prose on any subject, in addition to function words. */
const ENGLISH_FILLERS = new Set(wordsIn(readSections(import.meta.url, 'fillers.txt'), ''));

interface Term {
  forms: Map<string, number>;
  count: number;
  weight: number;
  first: number;
  words: number;
}

/** Returns terms ranked by frequency, position and neighbors. Deterministic. Takes linear time. */
export function keywordsOf(
  paragraphs: readonly Paragraph[],
  sentences: readonly Sentence[],
  language: string,
): Keyword[] {
  const stopWords = functionWords(language.split('-')[0] ?? language);
  const isEnglish = language.startsWith('en');
  const terms = new Map<string, Term>();
  const add = (stretches: readonly (readonly string[])[], weight: number) => {
    for (const words of stretches)
      collect(terms, words, weight, (word) => !isStopWord(word, stopWords, isEnglish));
  };
  for (const paragraph of paragraphs)
    if (!hasSentences(paragraph)) add(stretchesOfParagraph(paragraph), WEIGHT_IN_HEADINGS);
  for (const sentence of sentences) add(sentence.stretches, 1);
  const ranking = [...terms]
    .filter(([, term]) => term.words === 1 || term.count > 1)
    .map(([key, term]) => ({ key, term, score: scoreOf(term) }))
    .sort((one, other) => other.score - one.score || one.term.first - other.term.first);
  return withoutRepetition(ranking);
}

function isStopWord(word: string, stopWords: ReadonlySet<string>, isEnglish: boolean): boolean {
  const shortest = word.charCodeAt(0) > 0x2e7f ? SHORTEST_UNSPACED_TERM : SHORTEST_TERM;
  if (word.length < shortest || !/\p{L}/u.test(word)) return true;
  // Endings and particles of Japanese.
  if (/^\p{Script=Hiragana}+$/u.test(word)) return true;
  return stopWords.has(word) || (isEnglish && ENGLISH_FILLERS.has(word));
}

function collect(
  terms: Map<string, Term>,
  words: readonly string[],
  weight: number,
  isContent: (word: string) => boolean,
): void {
  const lower = words.map((word) => word.toLowerCase().replaceAll('’', "'"));
  const content = lower.map(isContent);
  for (let from = 0; from < words.length; from += 1) {
    for (
      let length = 1;
      length <= LONGEST_PHRASE && content[from + length - 1] === true;
      length += 1
    ) {
      const form = words.slice(from, from + length).join(' ');
      const key = lower
        .slice(from, from + length)
        .map(stem)
        .join(' ');
      let term = terms.get(key);
      if (!term) {
        term = { forms: new Map(), count: 0, weight: 0, first: terms.size, words: length };
        terms.set(key, term);
      }
      term.count += 1;
      term.weight += weight;
      term.forms.set(form, (term.forms.get(form) ?? 0) + 1);
    }
  }
}

/** Merges singular and plural in languages that form the plural with s. */
function stem(word: string): string {
  if (word.length < 5 || /(?:ss|us|is)$/u.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:x|ch|sh|ss)es$/u.test(word) ? word.slice(0, -2) : word.replace(/s$/u, '');
}

function scoreOf({ weight, words, forms }: Term): number {
  const length = Math.min(12, [...forms.keys()][0]?.length ?? 0);
  return weight * (words > 1 ? WEIGHT_OF_PHRASES : 1) * (0.7 + length / 40);
}

/** Removes terms that only occur within a selected one. */
function withoutRepetition(
  ranking: readonly { key: string; term: Term; score: number }[],
): Keyword[] {
  const best = ranking[0]?.score ?? 1;
  const taken: { key: string; count: number }[] = [];
  const keywords: Keyword[] = [];
  for (const { key, term, score } of ranking) {
    if (keywords.length >= MOST_KEYWORDS) break;
    const covered = taken.some(
      (other) =>
        (` ${other.key} `.includes(` ${key} `) && term.count <= other.count * 1.5) ||
        ` ${key} `.includes(` ${other.key} `),
    );
    if (covered) continue;
    taken.push({ key, count: term.count });
    keywords.push({
      term: commonest(term.forms),
      score: Math.round((score / best) * 1000) / 1000,
      count: term.count,
    });
  }
  return keywords;
}

/** Returns the most frequent form. Prefers lower case, which does not depend on the start of a sentence. */
function commonest(forms: ReadonlyMap<string, number>): string {
  const [first] = [...forms].sort(
    ([one, uses], [other, otherUses]) =>
      otherUses - uses || Number(one !== one.toLowerCase()) - Number(other !== other.toLowerCase()),
  );
  return first?.[0] ?? '';
}
