import {
  isCapitalized,
  outweighs,
  times,
  withCapitalsOf,
  type ReadPassage,
  type Use,
  type Word,
} from './passages.js';
import { RULES } from './enhancement-rules.js';
import { CONSISTENCY_CONFIDENCE, type Suggested } from './suggestions.js';
import { variantOf, type Variant } from './variants.js';

/** A use of a word with two spellings. */
interface VariantUse extends Use {
  variant: Variant;
}

type Side = 0 | 1;

const NAMES = {
  region: ['American spelling', 'British spelling'],
  ize: ['"-ize"', '"-ise"'],
} as const;
/** Before these words, the spelling of a name in code is kept, as in "the color property". */
const CODE_NOUNS = new Set(
  'attribute attributes class element field fields flag function key keyword method module option parameter property tag type variable'.split(
    ' ',
  ),
);
/** Spellings that a message quotes at most. */
const MOST_EXAMPLES = 3;

/**
 * Suggests the more frequent spelling of words with two: American or British, -ize or -ise. A requested variant of English
 * (`en-US`, `en-GB`) is never changed to the other one.
 */
export function* consistentSpelling(
  passages: readonly ReadPassage[],
  requested: string | null,
): Generator<Suggested> {
  const uses = usesIn(passages);
  const tally = new Tally(uses);
  const wanted = requested === 'en-US' ? 0 : requested === 'en-GB' ? 1 : undefined;
  const region = tally.majorityOf('region');
  for (const use of uses) {
    const { axis, side } = use.variant;
    if (axis === 'region' && wanted === side) continue;
    const reason = reasonFor(use.variant, tally, region);
    if (reason === undefined) continue;
    const { passage, start, end, text, variant } = use;
    yield {
      paragraph: passage.paragraph,
      start,
      end,
      rule: RULES.spelling,
      message: `This document uses ${reason}.`,
      values: [withCapitalsOf(text, variant.other)],
      confidence: CONSISTENCY_CONFIDENCE,
    };
  }
}

/** Returns why the other spelling of a word wins, with the counts, or undefined if it does not. */
function reasonFor(
  { axis, side, pair, other }: Variant,
  tally: Tally,
  region: Side | undefined,
): string | undefined {
  const opposite: Side = side === 0 ? 1 : 0;
  const own = tally.ofPair(pair);
  const isPairClear = outweighs(own[opposite], own[side]);
  const inPair = () => {
    const word = pair.split(' ')[side] ?? '';
    return `"${other}" ${times(own[opposite])} and "${word}" ${times(own[side])}`;
  };
  if (axis === 'word') return isPairClear ? inPair() : undefined;
  const majority = tally.majorityOf(axis);
  if (majority !== undefined) {
    if (majority === side) return undefined;
    return isPairClear ? inPair() : tally.describe(axis, majority);
  }
  // American texts use -ize. British ones use both.
  if (axis === 'ize' && region === 0 && side === 1) {
    const american = tally.ofAxis('region')[0];
    const [ize, ise] = tally.ofAxis('ize');
    if (outweighs(american + ize, ise)) return isPairClear ? inPair() : tally.describeAmerican();
  }
  return isPairClear ? inPair() : undefined;
}

function usesIn(passages: readonly ReadPassage[]): VariantUse[] {
  const names = new Set<string>();
  for (const { words } of passages) {
    for (const { text, lower, isCapitalPlace } of words)
      if (!isCapitalPlace && isCapitalized(text)) names.add(lower);
  }
  const uses: VariantUse[] = [];
  for (const passage of passages) {
    for (const word of passage.words) {
      if (mayBeName(word, names, passage) || CODE_NOUNS.has(word.after)) continue;
      let from = word.start;
      // `colour-coded` has two words.
      for (const part of word.text.split('-')) {
        const text = part.replace(/['’]s?$/, '');
        const variant = variantOf(text.toLowerCase());
        if (variant) uses.push({ passage, start: from, end: from + text.length, text, variant });
        from += part.length + 1;
      }
    }
  }
  return uses;
}

function mayBeName(
  { text, lower, isCapitalPlace, after }: Word,
  names: ReadonlySet<string>,
  { paragraph }: ReadPassage,
): boolean {
  if (!isCapitalized(text)) return false;
  if (!isCapitalPlace || names.has(lower)) return true;
  return paragraph.kind !== 'heading' && isCapitalized(after);
}

/** Counts of both spellings, for each word and together. */
class Tally {
  private readonly pairs = new Map<string, [number, number]>();
  private readonly axes = new Map<string, [number, number]>();
  private readonly examples = new Map<string, Set<string>>();

  constructor(uses: readonly VariantUse[]) {
    for (const { variant, text } of uses) {
      const { axis, side, pair } = variant;
      for (const [map, key] of [
        [this.pairs, pair],
        [this.axes, axis],
      ] as const) {
        const counts = map.get(key) ?? [0, 0];
        counts[side] += 1;
        map.set(key, counts);
      }
      const shown = this.examples.get(`${axis}${String(side)}`) ?? new Set();
      if (shown.size < MOST_EXAMPLES) shown.add(text.toLowerCase());
      this.examples.set(`${axis}${String(side)}`, shown);
    }
  }

  ofPair(pair: string): readonly [number, number] {
    return this.pairs.get(pair) ?? [0, 0];
  }

  ofAxis(axis: Variant['axis']): readonly [number, number] {
    return this.axes.get(axis) ?? [0, 0];
  }

  majorityOf(axis: Variant['axis']): Side | undefined {
    const [first, second] = this.ofAxis(axis);
    if (outweighs(first, second)) return 0;
    return outweighs(second, first) ? 1 : undefined;
  }

  describe(axis: 'region' | 'ize', majority: Side): string {
    const minority: Side = majority === 0 ? 1 : 0;
    return `${this.counted(axis, majority)} and ${this.counted(axis, minority)}`;
  }

  describeAmerican(): string {
    const ize = this.ofAxis('ize')[0] > 0 ? `, ${this.counted('ize', 0)},` : '';
    return `${this.counted('region', 0)}${ize} and ${this.counted('ize', 1)}`;
  }

  private counted(axis: 'region' | 'ize', side: Side): string {
    const quoted = [...(this.examples.get(`${axis}${String(side)}`) ?? [])];
    const shown = quoted.map((word) => `"${word}"`).join(', ');
    return `${NAMES[axis][side]} ${times(this.ofAxis(axis)[side])} (${shown})`;
  }
}
