import { pairsIn, readSections, wordsIn } from '../data-file.js';

/**
 * Words that share a decision. `region`: American or British. `ize`: -ize or -ise, because British texts use both.
 * `word`: each word for itself.
 */
export type VariantAxis = 'region' | 'ize' | 'word';

/** One of two spellings of a word. */
export interface Variant {
  axis: VariantAxis;
  /** 0: American or the first listed. 1: British or the second. */
  side: 0 | 1;
  /** Both spellings; the same for both sides. */
  pair: string;
  other: string;
  /** True if the other spelling cannot be counted, because it has another meaning too. */
  isOneWay?: true;
}

const DATA = readSections(import.meta.url, 'variants.txt');
const VARIANTS = new Map<string, Variant>();

function addPair(axis: VariantAxis, first: string, second: string): void {
  const pair = `${first} ${second}`;
  if (!VARIANTS.has(first)) VARIANTS.set(first, { axis, side: 0, pair, other: second });
  if (!VARIANTS.has(second)) VARIANTS.set(second, { axis, side: 1, pair, other: first });
}

for (const [us, gb] of pairsIn(DATA, 'us gb')) addPair('region', us, gb);
for (const [us, gb] of pairsIn(DATA, 'british only')) {
  VARIANTS.set(gb, { axis: 'region', side: 1, pair: `${us} ${gb}`, other: us, isOneWay: true });
}
for (const stem of wordsIn(DATA, 'or our')) {
  for (const ending of ['', ...wordsIn(DATA, 'or our endings')])
    addPair('region', `${stem}or${ending}`, `${stem}our${ending}`);
}
for (const stem of wordsIn(DATA, 'er re')) {
  for (const ending of ['', 's']) addPair('region', `${stem}er${ending}`, `${stem}re${ending}`);
}
for (const stem of wordsIn(DATA, 'l ll')) {
  for (const ending of wordsIn(DATA, 'l ll endings'))
    addPair('region', `${stem}${ending}`, `${stem}l${ending}`);
}
for (const stem of wordsIn(DATA, 'yze yse')) {
  for (const ending of ['e', 'ed', 'ing', 'er', 'ers'])
    addPair('region', `${stem}yz${ending}`, `${stem}ys${ending}`);
}
for (const [first, second] of pairsIn(DATA, 'either')) addPair('word', first, second);

const IZE_STEMS = new Set(wordsIn(DATA, 'ize ise'));
const IZE = new RegExp(`^([a-z]{2,})i([sz])(${wordsIn(DATA, 'ize ise endings').join('|')})$`);
const IZE_PREFIX = /^(?:re|de|un|dis|pre|over|non|hyper)(?=[a-z]{3})/;

/** Returns what is known about a word in lower case, or undefined if it has one spelling. */
export function variantOf(word: string): Variant | undefined {
  const listed = VARIANTS.get(word);
  if (listed) return listed;
  const found = IZE.exec(word);
  if (!found) return undefined;
  const [, stem = '', letter, ending = ''] = found;
  if (!IZE_STEMS.has(stem) && !IZE_STEMS.has(stem.replace(IZE_PREFIX, ''))) return undefined;
  const [ize, ise] = [`${stem}iz${ending}`, `${stem}is${ending}`];
  const pair = `${ize} ${ise}`;
  return letter === 'z'
    ? { axis: 'ize', side: 0, pair, other: ise }
    : { axis: 'ize', side: 1, pair, other: ize };
}

/** Compounds of two words by their closed form, and the other way round. */
export const OPEN_OF_CLOSED: ReadonlyMap<string, string> = new Map(
  pairsIn(DATA, 'open closed').map(([open, closed]) => [closed, open]),
);
export const CLOSED_OF_OPEN: ReadonlyMap<string, string> = new Map(pairsIn(DATA, 'open closed'));

/** Words with a hyphen that are other words than those without it. */
export const DISTINCT_HYPHENS: ReadonlySet<string> = new Set(
  wordsIn(DATA, 'distinct with a hyphen'),
);
