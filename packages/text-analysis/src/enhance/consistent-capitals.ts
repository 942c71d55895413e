import { functionWords } from '../language/function-words.js';
import {
  isCapitalized,
  neighbors,
  outweighs,
  times,
  type ReadPassage,
  type Use,
  type Word,
} from './passages.js';
import { RULES } from './enhancement-rules.js';
import { CONSISTENCY_CONFIDENCE, type Suggested } from './suggestions.js';

/** Words that are ordinary in lower case too, but mean the same with a capital letter. */
const SAME_WITH_CAPITAL = new Set(['internet', 'markdown', 'ethernet', 'bluetooth', 'web']);

/**
 * Suggests the more frequent capitals of a term: `GitHub` for `Github`, `pull request` for `Pull Request`. `isOrdinary`
 * returns true for words that dictionaries have in lower case. Such words can also be names, so they are skipped.
 */
export function* consistentCapitals(
  passages: readonly ReadPassage[],
  isOrdinary: (word: string) => boolean,
): Generator<Suggested> {
  for (const uses of termsIn(passages, isOrdinary)) yield* minorityOf(uses);
  yield* phrases(passages);
}

function* minorityOf(uses: readonly Use[]): Generator<Suggested> {
  const counts = new Map<string, number>();
  for (const { text } of uses) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [winner, most] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? ['', 0];
  if (counts.size < 2 || !outweighs(most, uses.length - most)) return;
  for (const use of uses) {
    if (use.text === winner || !mayBecome(use.text, winner)) continue;
    yield suggested(use, winner, most, counts.get(use.text) ?? 0);
  }
}

/** Returns false if the other form may be intended: an acronym, an identifier, or the name of something else. */
function mayBecome(text: string, winner: string): boolean {
  if (/^\p{Ll}+\p{Lu}/u.test(text)) return false;
  if (hasInnerCapital(winner)) return true;
  if (hasInnerCapital(text)) return false;
  return isCapitalized(winner) || SAME_WITH_CAPITAL.has(winner);
}

function suggested(use: Use, winner: string, most: number, count: number): Suggested {
  const blank = /\s+/.exec(use.text)?.[0] ?? ' ';
  return {
    paragraph: use.passage.paragraph,
    start: use.start,
    end: use.end,
    rule: RULES.capitals,
    message: `This document uses "${winner}" ${times(most)} and "${use.text.replace(blank, ' ')}" ${times(count)}.`,
    // A line break stays.
    values: [winner.replace(' ', blank)],
    confidence: CONSISTENCY_CONFIDENCE,
  };
}

/** Returns the uses of each term that the text writes with different capitals. */
function* termsIn(
  passages: readonly ReadPassage[],
  isOrdinary: (word: string) => boolean,
): Generator<Use[]> {
  const groups = new Map<string, Use[]>();
  const starts = new Map<string, Use[]>();
  for (const passage of passages) {
    // A single word may be the name of a package, with other capitals than the product.
    if (passage.words.length === 1) continue;
    for (const word of passage.words) {
      const { start } = word;
      const text = word.text.replace(/['’]s?$/, '');
      if (!/^\p{L}{2,}$/u.test(text) || isShouted(word)) continue;
      // Where every word has a capital letter, only inner capitals tell a spelling.
      const map = isTelling(word) || hasInnerCapital(text) ? groups : starts;
      const use = { passage, start, end: start + text.length, text };
      const key = text.toLowerCase();
      const known = map.get(key);
      if (known) known.push(use);
      else map.set(key, [use]);
    }
  }
  for (const [key, uses] of groups) {
    // `Github` at the start of a sentence is wrong if the name is `GitHub`, and right if it is `github`.
    const fixed = uses.filter(({ text }) => hasInnerCapital(text)).length;
    const all = fixed * 2 > uses.length ? [...uses, ...(starts.get(key) ?? [])] : uses;
    if (all.every(({ text }) => text === all[0]?.text)) continue;
    if (SAME_WITH_CAPITAL.has(key) || !isOrdinary(key)) yield all;
  }
}

/** Returns true for a word among others in capitals. */
function isShouted({ text, before, after }: Word): boolean {
  const isLoud = (word: string) => /^\p{Lu}{2,}$/u.test(word);
  return isLoud(text) && (isLoud(before) || isLoud(after));
}

/** Returns true if a word would be in lower case here unless it is a name. */
function isTelling({ text, isCapitalPlace, before }: Word): boolean {
  if (isCapitalPlace) return false;
  return !isCapitalized(text) || (before !== '' && !isCapitalized(before));
}

function hasInnerCapital(text: string): boolean {
  return /.\p{Lu}/u.test(text);
}

const FUNCTION_WORDS = functionWords('en');

/** A use of two words. */
interface PairUse extends Use {
  /** `the` stands before it. */
  hasArticle: boolean;
}

/** Suggests the more frequent capitals of terms of two words. Names with an article, such as `the White House`, stay. */
function* phrases(passages: readonly ReadPassage[]): Generator<Suggested> {
  const capital = pairsIn(passages, isCapitalized, () => true);
  if (capital.size === 0) return;
  const isLower = (text: string) => text === text.toLowerCase();
  for (const [key, small] of pairsIn(passages, isLower, (one) => capital.has(one))) {
    const large = capital.get(key) ?? [];
    const title = key.replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1));
    if (outweighs(small.length, large.length)) {
      for (const use of withoutArticle(large))
        yield suggested(use, key, small.length, large.length);
    } else if (
      outweighs(large.length, small.length) &&
      withoutArticle(large).length * 2 > large.length
    ) {
      for (const use of withoutArticle(small))
        yield suggested(use, title, large.length, small.length);
    }
  }
}

function withoutArticle(uses: readonly PairUse[]): PairUse[] {
  return uses.filter(({ hasArticle }) => !hasArticle);
}

/** Returns the uses of pairs of words within sentences, by the pair in lower case. */
function pairsIn(
  passages: readonly ReadPassage[],
  isWanted: (text: string) => boolean,
  isKey: (key: string) => boolean,
): Map<string, PairUse[]> {
  const pairs = new Map<string, PairUse[]>();
  for (const passage of passages) {
    for (const [first, second] of neighbors(passage.words)) {
      const key = `${first.lower} ${second.lower}`;
      if (!isWanted(first.text) || !isWanted(second.text) || !isKey(key)) continue;
      if (!isPart(first) || !isPart(second) || isPartOfName(first, second)) continue;
      const { start } = first;
      const blank = passage.paragraph.prose.slice(first.end, second.start);
      const text = first.text + blank + second.text;
      const hasArticle = first.before.toLowerCase() === 'the';
      const known = pairs.get(key) ?? [];
      known.push({ passage, start, end: second.end, text, hasArticle });
      pairs.set(key, known);
    }
  }
  return pairs;
}

/** Returns true for a part of a longer name, such as `Prime Minister Smith` or `House of Lords`. */
function isPartOfName(first: Word, second: Word): boolean {
  if (!isCapitalized(first.text)) return isCapitalized(second.after);
  if (first.before === '' || isCapitalized(first.before)) return true;
  return isCapitalized(second.after) || second.after === 'of';
}

function isPart({ text, lower, isCapitalPlace }: Word): boolean {
  return !isCapitalPlace && /^\p{Lu}?\p{Ll}{2,}$/u.test(text) && !FUNCTION_WORDS.has(lower);
}
