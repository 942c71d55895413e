import { readSections, wordsIn } from '../data-file.js';
import { functionWords } from '../language/function-words.js';
import { type MaskedRange, type Paragraph, withTerms } from '../text/prose.js';
import { hasSentences, type Sentence, stretchesOfParagraph } from '../text/text-parts.js';
import { baseLanguage } from '../language/base-language.js';

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
/** Weight of an acronym or a name in mixed case, relative to other words. */
const WEIGHT_OF_NAMES = 1.5;

/** Words that are common in English prose on any subject, in addition to function words. */
const ENGLISH_FILLERS = new Set(wordsIn(readSections(import.meta.url, 'fillers.txt'), ''));
/** Number of words in SUBTLEX-US. */
const GENERAL_WORDS = 51_000_000;
/** Uses in SUBTLEX-US from which an English word says little about a subject: 10 to the power 4.2. */
const FREQUENT = 15_849;
/** Such a word is still a keyword from this many uses, if it is this many times as frequent as in general English. */
const FEWEST_USES_OF_FREQUENT = 4;
const TIMES_AS_FREQUENT = 75;

interface Term {
  forms: Map<string, number>;
  count: number;
  weight: number;
  first: number;
  words: number;
  isName: boolean;
}

/**
 * Returns terms ranked by number of uses. `frequency` returns the uses of a lower-case word in general English. Takes
 * linear time.
 */
export function keywordsOf(
  paragraphs: readonly Paragraph[],
  sentences: readonly Sentence[],
  language: string,
  frequency: ((word: string) => number) | null,
): Keyword[] {
  const vocabulary = new Vocabulary(language, frequency);
  const terms = new Map<string, Term>();
  let total = 0;
  const add = (stretches: readonly (readonly string[])[], weight: number) => {
    for (const words of stretches) {
      collect(terms, words, weight, vocabulary);
      total += words.length;
    }
  };
  // Names in mixed case are masked, so their paragraphs are read again.
  const withNames = new Set(paragraphs.filter(({ masked }) => masked.some(isMaskedName)));
  for (const paragraph of paragraphs) {
    const isProse = hasSentences(paragraph);
    if (!isProse || withNames.has(paragraph))
      add(stretchesOfParagraph(withTerms(paragraph)), isProse ? 1 : WEIGHT_IN_HEADINGS);
  }
  for (const { paragraph, stretches } of sentences)
    if (!withNames.has(paragraph)) add(stretches, 1);
  const ranking = [...terms]
    .filter(([key, term]) => isKeyword(key, term, total, vocabulary))
    .map(([key, term]) => ({ key, term, score: scoreOf(term) }))
    .sort((one, other) => other.score - one.score || one.term.first - other.term.first);
  return withoutRepetition(ranking);
}

function isMaskedName({ term }: MaskedRange): boolean {
  return term !== undefined && /\p{L}/u.test(term);
}

function isKeyword(key: string, term: Term, total: number, vocabulary: Vocabulary): boolean {
  if (term.words > 1) return term.count > 1;
  if (term.isName || vocabulary.kindOf(key) === 'strong') return true;
  return (
    term.count >= FEWEST_USES_OF_FREQUENT &&
    term.count / total >= TIMES_AS_FREQUENT * vocabulary.shareOf(key)
  );
}

/** How much a word says about a subject. `weak` words need a `strong` one beside them, or many uses. */
type WordKind = 'none' | 'weak' | 'strong';

class Vocabulary {
  private readonly stopWords: ReadonlySet<string>;
  private readonly isEnglish: boolean;

  constructor(
    language: string,
    private readonly frequency: ((word: string) => number) | null,
  ) {
    this.stopWords = functionWords(baseLanguage(language));
    this.isEnglish = language.startsWith('en');
  }

  /** `word` is in lower case. */
  kindOf(word: string): WordKind {
    if (this.isStopWord(word)) return 'none';
    return (this.frequency?.(word) ?? 0) > FREQUENT ? 'weak' : 'strong';
  }

  /** Returns the share of a word in general English. */
  shareOf(word: string): number {
    return (this.frequency?.(word) ?? 0) / GENERAL_WORDS;
  }

  private isStopWord(word: string): boolean {
    const shortest = word.charCodeAt(0) > 0x2e7f ? SHORTEST_UNSPACED_TERM : SHORTEST_TERM;
    if (word.length < shortest || !/\p{L}/u.test(word)) return true;
    // Endings and particles of Japanese.
    if (/^\p{Script=Hiragana}+$/u.test(word)) return true;
    if (this.stopWords.has(word)) return true;
    return this.isEnglish && (ENGLISH_FILLERS.has(word) || this.isAdverb(word));
  }

  /** Returns true for `suddenly`, `simply`, `happily` and `basically`, but not for `family`. */
  private isAdverb(word: string): boolean {
    const { frequency } = this;
    if (!frequency || word.length < 6 || !word.endsWith('ly')) return false;
    const base = word.slice(0, -2);
    const adjectives = [base, `${base}le`, base.replace(/i$/u, 'y'), base.replace(/al$/u, '')];
    return !LY_NOUNS.has(word) && adjectives.some((one) => frequency(one) > 0);
  }
}

/** Words in -ly that are not adverbs, although what precedes the ending is a word. */
const LY_NOUNS = new Set(['assembly', 'butterfly', 'family', 'multiply', 'supply']);

/** `gRPC`, `GitHub`, `PostgreSQL`. */
const MIXED_CASE = /\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{Ll}{2}/u;
/** `SRE`, `APIs`, `K8S`. */
const ACRONYM = /^\p{Lu}[\p{Lu}\p{N}]{1,5}s?$/u;
/** From this number on, words in capitals are emphasis rather than acronyms. */
const EMPHASIS = 3;

function collect(
  terms: Map<string, Term>,
  words: readonly string[],
  weight: number,
  vocabulary: Vocabulary,
): void {
  const isEmphasis = words.length >= EMPHASIS && words.every((word) => word === word.toUpperCase());
  const read = words.map((word): { kind: WordKind; isName: boolean; key: string } => {
    const lower = word.toLowerCase().replaceAll('’', "'");
    const kind = vocabulary.kindOf(lower);
    const isName = MIXED_CASE.test(word) || (ACRONYM.test(word) && !isEmphasis);
    if (!isName) return { kind, isName, key: stem(lower) };
    // `IT` and `US` differ from the pronouns.
    const name = word.replace(/(?<=\p{Lu})s$/u, '');
    return { kind: 'strong', isName, key: kind === 'strong' ? name.toLowerCase() : name };
  });
  for (let from = 0; from < words.length; from += 1) {
    let isStrong = false;
    let key = '';
    for (let length = 1; length <= LONGEST_PHRASE; length += 1) {
      const last = read[from + length - 1];
      if (!last || last.kind === 'none') break;
      isStrong ||= last.kind === 'strong';
      key += length === 1 ? last.key : ` ${last.key}`;
      if (length > 1 && !isStrong) continue;
      const form = words.slice(from, from + length).join(' ');
      let term = terms.get(key);
      if (!term) {
        const { isName } = last;
        term = { forms: new Map(), count: 0, weight: 0, first: terms.size, words: length, isName };
        terms.set(key, term);
      }
      term.count += 1;
      term.weight += weight;
      term.isName ||= last.isName;
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

function scoreOf({ weight, words, forms, isName }: Term): number {
  const length = Math.min(12, [...forms.keys()][0]?.length ?? 0);
  const importance = words > 1 ? WEIGHT_OF_PHRASES : isName ? WEIGHT_OF_NAMES : 1;
  return weight * importance * (0.7 + length / 40);
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
