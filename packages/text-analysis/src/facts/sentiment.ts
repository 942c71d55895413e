import type { Sentence } from '../text-parts.js';

export interface Sentiment {
  /** −1 (against) to 1 (in favour). */
  score: number;
  label: 'positive' | 'neutral' | 'negative';
}

/**
 * English words that judge, from −3 to 3; own list. Without the words of our trade that judge nothing: error, failure,
 * kill, abort, dead, free, support.
 */
const LEXICON = new Map<string, number>();
for (const [weight, words] of [
  [
    3,
    'amazing astonishing awesome best brilliant delighted delightful excellent exceptional extraordinary fabulous fantastic flawless gorgeous incredible love loved loves magnificent marvellous marvelous outstanding perfect perfectly phenomenal spectacular splendid stunning superb terrific thrilled wonderful wonderfully adore adored',
  ],
  [
    2,
    'admire admired attractive beautiful beautifully celebrate charming cheerful comfortable confident delicious elegant encouraging enjoy enjoyable enjoyed enjoying enjoys excited exciting favorite favourite friendly fun generous glad good grateful great happily happiness happy impressed impressive joy kind lively lovely pleasant pleased pleasure proud recommend recommended rewarding satisfied satisfying smile smiled success successful successfully thank thankful thanks trusted win winner winning wise worthwhile',
  ],
  [
    1,
    'accurate agree appreciate appreciated benefit benefits better calm capable careful clean clear clever convenient easier easily easy effective efficient fair fast fine fresh gentle helped helpful hope hopeful improve improved improvement improves interesting intuitive like liked likes neat nice nicely polite praise praised promising quick reliable robust safe simple smart smooth smoothly solid strong thoughtful tidy useful valuable warm welcome well worthy',
  ],
  [
    -1,
    'annoy awkward bored boring bug buggy clumsy cold complain complained complaint concern concerned confuse confused confusing costly difficult difficulty dirty doubt dull expensive harder hesitate inconsistent inconvenient lacking late loud mediocre mess messy mistake mistakes odd problem problems questionable rough rude slow slowly strange tedious tired trouble uncertain unclear unfair unfortunate unfortunately unhappy unlikely unreliable weak weird worried worry worrying wrong',
  ],
  [
    -2,
    'angry annoyed annoying anxious bad badly broken cruel damage damaged danger dangerous disappointed disappointing disappointment disaster dislike disliked fear frustrated frustrating frustration harm harmful hurt ignored insulting lie lied lies lonely lost mad nasty pain painful panic poor poorly regret rejected ruin ruined sad sadly scared shame suffer suffered terrified ugly unacceptable unbearable unpleasant upset useless violent waste wasted worse worthless',
  ],
  [
    -3,
    'abysmal agony appalling atrocious awful catastrophe catastrophic despise despised disgusting dreadful evil hate hated hates hideous horrendous horrible horribly horrific miserable nightmare outrageous pathetic terrible terribly tragedy tragic vile worst',
  ],
] as const)
  for (const word of words.split(' ')) LEXICON.set(word, weight);

const NEGATIONS = new Set(
  "not no never none nobody nothing neither nor without hardly barely scarcely cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't haven't hasn't hadn't".split(
    ' ',
  ),
);
/** Words before which a judgement counts more or less. */
const DEGREES = new Map<string, number>([
  ...'very really extremely incredibly absolutely completely totally truly deeply highly so utterly remarkably exceptionally particularly'
    .split(' ')
    .map((word) => [word, 1.4] as const),
  ...'slightly somewhat fairly rather quite partly mildly almost little'
    .split(' ')
    .map((word) => [word, 0.6] as const),
]);

/** How many words a negation or a degree reaches. */
const REACH = 3;
/** A negated judgement is weaker than its opposite: "not good" is not "bad". */
const NEGATED = -0.7;
/** What follows "but" is what is meant. */
const BEFORE_BUT = 0.5;
/** Keeps a single word from reaching the end of the scale. */
const SATURATION = 8;
/** How much a sentence that judges nothing counts, against one that does. */
const WEIGHT_OF_NEUTRAL = 0.2;
const THRESHOLD = 0.12;

/** `null` for languages without a lexicon (all but English) and for texts without words. */
export function sentimentOf(sentences: readonly Sentence[], language: string): Sentiment | null {
  if (language.split('-')[0] !== 'en') return null;
  let sum = 0;
  let weight = 0;
  for (const { words } of sentences) {
    if (words.length === 0) continue;
    const judgement = judgementOf(words);
    sum += judgement / Math.sqrt(judgement * judgement + SATURATION);
    weight += judgement === 0 ? WEIGHT_OF_NEUTRAL : 1;
  }
  if (weight === 0) return null;
  const score = Math.round((sum / Math.max(1, weight)) * 1000) / 1000 || 0;
  const label = score > THRESHOLD ? 'positive' : score < -THRESHOLD ? 'negative' : 'neutral';
  return { score, label };
}

function judgementOf(words: readonly string[]): number {
  const lower = words.map((word) => word.toLowerCase().replaceAll('’', "'"));
  const but = lower.lastIndexOf('but');
  let sum = 0;
  for (const [index, word] of lower.entries()) {
    const value = LEXICON.get(word);
    if (value === undefined || isOtherSense(lower, index)) continue;
    let factor = index < but ? BEFORE_BUT : 1;
    for (const before of lower.slice(Math.max(0, index - REACH), index)) {
      factor *= DEGREES.get(before) ?? 1;
      if (NEGATIONS.has(before)) factor *= NEGATED;
    }
    sum += value * factor;
  }
  return sum;
}

/** "as well as", "looks like a cat", "a kind of": these judge nothing. */
function isOtherSense(words: readonly string[], index: number): boolean {
  const word = words[index];
  const next = words[index + 1] ?? '';
  const previous = words[index - 1] ?? '';
  if (word === 'well') return previous === 'as' || next === 'as';
  if (word === 'kind') return next === 'of';
  if (word === 'like')
    return !/^(?:i|you|we|they|who|to|would|really|don't|didn't|not|also)$/u.test(previous);
  return false;
}
