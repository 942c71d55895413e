import {
  endsNounPhrase,
  isCountedPlural,
  isPartOfCompound,
  isSingularNoun,
  lowerAt,
  posAt,
  replaced,
  set,
  type TaggedRule,
  type WordKnowledge,
} from './tagged-rule.js';
import type { Token } from './tagger.js';
import { likeCase, pluralOf } from './word-forms.js';

const SEVERAL = set('several');
const SEVERAL_OF = set('several of');

/** Minimum gain of a plural: the natural logarithm of how much more likely it is than the singular after these words. */
const LEAST_PLURAL_GAIN = 2;
/** Minimum gain of an article. */
const LEAST_ARTICLE_GAIN = 1.5;

/** `a lot of place`, `certain disease`: a noun that the language model prefers in the plural. */
const pluralAfterQuantity: TaggedRule = {
  ruleId: 'grammar.plural-after-quantity',
  category: 'grammar',
  severity: 'warning',
  explanation: 'Things that you can count are plural after "a lot of", "different" and "certain".',
  example: 'They have a lot of {friend=>friends}.',
  check(tokens, at, words) {
    const noun = tokens[at];
    if (!noun || !isAfterQuantity(tokens, at) || !isSingularNoun(noun, words)) return null;
    if (!endsNounPhrase(tokens[at + 1]) || isPartOfCompound(tokens, at)) return null;
    const plural = pluralOf(noun.lower);
    const gainOf = (value: string) =>
      words.logProbability(value, lowerAt(tokens, at - 1), lowerAt(tokens, at - 2));
    if (gainOf(plural) - gainOf(noun.lower) < LEAST_PLURAL_GAIN) return null;
    return replaced(noun, 'This noun must be plural.', plural);
  },
};

/** Returns true after "a lot of", "many different" and "certain", but not after "a certain" and "quite different". */
function isAfterQuantity(tokens: readonly Token[], noun: number): boolean {
  const quantity = lowerAt(tokens, noun - 1);
  if (quantity === 'of') return SEVERAL_OF.has(lowerAt(tokens, noun - 2));
  if (!SEVERAL.has(quantity)) return false;
  return (
    noun < 2 ||
    /^(?:VERB|AUX|ADP|CCONJ|SCONJ)$/.test(posAt(tokens, noun - 2)) ||
    /^(?:many|several|two|three|some|from|in)$/.test(lowerAt(tokens, noun - 2))
  );
}

/** `a large amount of cars`, `less cars`: words that are for what cannot be counted. */
const fewerAndNumber: TaggedRule = {
  ruleId: 'grammar.less-fewer',
  category: 'grammar',
  severity: 'warning',
  explanation:
    'Use "fewer" and "number" for things that you can count: fewer people, a number of cars; but less water, an amount of water.',
  example: 'There are {less=>fewer} cars today.',
  check(tokens, at, words) {
    const word = tokens[at];
    if (!word) return null;
    const isAmount = isAmountOf(tokens, at);
    if (!isAmount && !isLessBeforeNoun(tokens, at)) return null;
    const place = isAmount ? at + 2 : at + 1;
    const noun = tokens[place];
    if (!noun || !isManyThings(noun, words) || !endsNounPhrase(tokens[place + 1])) return null;
    const right = isAmount ? 'number' : likeCase(word.text, 'fewer');
    return replaced(word, `"${noun.text}" can be counted, so use "${right}".`, right);
  },
};

/** "A specific amount of rows" is common in documentation of software. */
const isAmountOf = (tokens: readonly Token[], at: number) =>
  lowerAt(tokens, at) === 'amount' &&
  lowerAt(tokens, at + 1) === 'of' &&
  /^(?:an?|the|large|larger|huge|small|great|big|good|vast|enormous|increasing|certain|high)$/.test(
    lowerAt(tokens, at - 1),
  );

const isLessBeforeNoun = (tokens: readonly Token[], at: number) =>
  lowerAt(tokens, at) === 'less' &&
  !/^(?:or|no|than|the|much|any|even)$/.test(lowerAt(tokens, at - 1));

/** Returns true for "cars" and "people", but not for "dollars", which say how much. */
function isManyThings(noun: Token, words: WordKnowledge): boolean {
  if (noun.pos !== 'NOUN' || noun.isMasked || !/^[a-z]+$/.test(noun.text)) return false;
  if (/^(?:people|children|men|women)$/.test(noun.lower)) return true;
  return isCountedPlural(noun, words) && !MEASURES.has(noun.lower);
}

const MEASURES = set('measures');

/** `it was great idea`: the language model decides whether the noun needs an article. */
const articleBeforeAdjective: TaggedRule = {
  ruleId: 'grammar.missing-article',
  category: 'grammar',
  severity: 'warning',
  explanation: 'A thing that you can count needs an article: it was a great idea.',
  example: 'It was {great=>a great} idea.',
  check(tokens, at, words) {
    const verb = lowerAt(tokens, at);
    if (!/^(?:is|was|be|been|become|became|it's|that's)$/.test(verb)) return null;
    if (lowerAt(tokens, at - 1) === 'there' || lowerAt(tokens, at - 2) === 'there') return null;
    const first = tokens[at + 1];
    const end = nounAfterAdjective(tokens, at + 1, words);
    if (!first || end === 0) return null;
    const phrase = tokens.slice(at + 1, end + 1).map(({ lower }) => lower);
    const before = [lowerAt(tokens, at - 1), verb];
    const sumWith = (article: string) => sumOf(words, before, [article, ...phrase]);
    const article = sumWith('a') > sumWith('an') ? 'a' : 'an';
    if (sumWith(article) - sumOf(words, before, phrase) < LEAST_ARTICLE_GAIN) return null;
    return replaced(first, 'An article is missing.', `${article} ${first.text}`);
  },
};

/** Returns the place of the noun of "great idea" and "very great idea", or 0. */
function nounAfterAdjective(tokens: readonly Token[], start: number, words: WordKnowledge): number {
  const adjective = /^(?:very|really)$/.test(lowerAt(tokens, start)) ? start + 1 : start;
  const noun = tokens[adjective + 1];
  if (posAt(tokens, adjective) !== 'ADJ' || !/^[a-z]+$/.test(tokens[start]?.text ?? '')) return 0;
  // "It was little help", "it was small comfort"
  if (/^(?:little|small|such|much|more)$/.test(lowerAt(tokens, adjective))) return 0;
  if (!noun?.blankBefore || !isSingularNoun(noun, words)) return 0;
  if (!endsNounPhrase(tokens[adjective + 2]) || isPartOfCompound(tokens, adjective + 1)) return 0;
  return adjective + 1;
}

/** Returns the natural logarithm of the probability of words after others. */
function sumOf(words: WordKnowledge, before: readonly string[], phrase: readonly string[]): number {
  const all = [...before, ...phrase];
  let sum = 0;
  for (let at = before.length; at < all.length; at += 1)
    sum += words.logProbability(all[at] ?? '', all[at - 1] ?? '', all[at - 2] ?? '');
  return sum;
}

/** `an eight year career`: a number and its unit before a noun are one word. */
const hyphenInMeasure: TaggedRule = {
  ruleId: 'punctuation.hyphen-in-measure',
  category: 'punctuation',
  severity: 'warning',
  explanation: 'A number and a unit before a noun are joined by a hyphen: a two-year plan.',
  example: 'It is a {two year=>two-year} plan.',
  check(tokens, at) {
    const number = tokens[at];
    if (!number || !NUMBER.test(number.lower) || !UNITS.has(lowerAt(tokens, at + 1))) return null;
    if (!/^(?:an?|the|his|her|their|its|my|our|this)$/.test(lowerAt(tokens, at - 1))) return null;
    const end = lowerAt(tokens, at + 2) === 'old' ? at + 2 : at + 1;
    const last = tokens[end];
    const noun = tokens[end + 1];
    if (!last || noun?.pos !== 'NOUN' || !noun.blankBefore || noun.isMasked) return null;
    if (!/^[a-z]+$/.test(noun.text)) return null;
    const words = tokens.slice(at, end + 1).map(({ text }) => text);
    return {
      from: number,
      to: last,
      message: 'A hyphen is missing.',
      replacements: [words.join('-')],
    };
  },
};

const UNITS = set('units');
const NUMBER =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|\d{1,3})$/;

/** The rules about the number of nouns, quantities and missing articles. */
export const NOUN_RULES: readonly TaggedRule[] = [
  pluralAfterQuantity,
  fewerAndNumber,
  articleBeforeAdjective,
  hyphenInMeasure,
];
