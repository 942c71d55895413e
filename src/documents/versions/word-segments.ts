import { diffArrays } from 'diff';
import { commonStretches, type Stretch } from './common-stretches.js';
import { wordTokens } from './word-tokens.js';

/** A part of a changed text. All but the added ones joined are the old text, all but the removed ones the new. */
export interface Segment {
  type: 'equal' | 'added' | 'removed';
  text: string;
}

/** Longer texts are first cut where they agree, so that words are compared only between. */
const MAX_WORDS_UNITS = 8 * 1024;
/** What may be compared word by word in one diff, in UTF-16 units of both texts; what follows is told as a whole. */
const WORDS_UNITS_OF_A_DIFF = 64 * 1024;
const MAX_EDITS = 400;
const WORD_BOUNDARY = /[^\p{L}\p{N}\p{M}_]/u;

/** Compares texts word by word, until a diff has had its share of time. */
export class WordComparison {
  /** Whether something was told as a whole that has words in common. */
  approximate = false;
  private unitsLeft = WORDS_UNITS_OF_A_DIFF;

  /** `searchLong`: whether long texts are searched for what they share; vain where their lines were, and found little. */
  constructor(private readonly searchLong: boolean) {}

  /** How `to` came from `from`, in segments. */
  segments(from: string, to: string): Segment[] {
    const segments: Segment[] = [];
    if (from.length + to.length <= MAX_WORDS_UNITS || !this.searchLong) {
      this.compare(from, to, segments);
      return segments;
    }
    let fromPlace = 0;
    let toPlace = 0;
    const whole = { from: { start: 0, end: from.length }, to: { start: 0, end: to.length } };
    for (const found of commonStretches(from, whole.from, to, whole.to)) {
      const stretch = withWholeWords(from, to, found);
      if (stretch.length <= 0) continue;
      this.compare(from.slice(fromPlace, stretch.from), to.slice(toPlace, stretch.to), segments);
      fromPlace = stretch.from + stretch.length;
      toPlace = stretch.to + stretch.length;
      addSegment(segments, 'equal', from.slice(stretch.from, fromPlace));
    }
    this.compare(from.slice(fromPlace), to.slice(toPlace), segments);
    return segments;
  }

  private compare(from: string, to: string, segments: Segment[]): void {
    const units = from.length + to.length;
    const byWords = from !== '' && to !== '' && units <= Math.min(MAX_WORDS_UNITS, this.unitsLeft);
    if (byWords) {
      this.unitsLeft -= units;
      const changes = diffArrays(wordTokens(from), wordTokens(to), { maxEditLength: MAX_EDITS });
      for (const { added, removed, value } of changes ?? []) {
        addSegment(segments, added ? 'added' : removed ? 'removed' : 'equal', value.join(''));
      }
      if (changes) return;
    }
    this.approximate ||= from !== '' && to !== '';
    addSegment(segments, 'removed', from);
    addSegment(segments, 'added', to);
  }
}

/** Adds a segment, or makes the last one longer where that has the same type. */
export function addSegment(segments: Segment[], type: Segment['type'], text: string): void {
  if (text === '') return;
  const last = segments.at(-1);
  if (last?.type === type) last.text += text;
  else segments.push({ type, text });
}

/** What is left of a stretch when neither of its ends may be inside a word of either text. */
function withWholeWords(from: string, to: string, stretch: Stretch): Stretch {
  let { from: start, length } = stretch;
  const shift = stretch.to - start;
  while (length > 0 && !(isBoundary(from, start) && isBoundary(to, start + shift))) {
    start += 1;
    length -= 1;
  }
  while (
    length > 0 &&
    !(isBoundary(from, start + length) && isBoundary(to, start + length + shift))
  ) {
    length -= 1;
  }
  return { from: start, to: start + shift, length };
}

/** Whether no word goes on across a place; a character that is no part of a word stands on one side of it. */
function isBoundary(text: string, place: number): boolean {
  if (place === 0 || place === text.length) return true;
  if ((text.charCodeAt(place) & 0xfc00) === 0xdc00) return false;
  return WORD_BOUNDARY.test(text.charAt(place - 1)) || WORD_BOUNDARY.test(text.charAt(place));
}
