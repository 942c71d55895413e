/** The same text in two others: `length` units at `from` in the one and at `to` in the other. */
export interface Stretch {
  from: number;
  to: number;
  length: number;
}

/** A part of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Bound once: looking a global up a million times costs more than the arithmetic. */
const { imul } = Math;

/** Units that must agree to be noticed; what is shorter costs less written again than referred to. */
const GRAM = 16;
/** Every so many units of the older text are noted. Any common stretch of GRAM + STEP units is found. */
const STEP = 8;
const FACTOR = 0x01000193;
const FACTOR_OF_FIRST = power(FACTOR, GRAM - 1);
/** A stretch of so many units is as good as any longer one. */
const ENOUGH = 128;
/** How many other notes with the same hash are looked at. */
const MAX_CHAIN = 8;
/** Steps spent on looking for something better than what was found; some ten milliseconds. */
const MAX_LOOK_AHEAD = 500_000;

/**
 * Stretches that a part of `from` and a part of `to` have in common, in the order of both and without overlap. Finds what
 * scattered edits left alone; of text that moved only what keeps its order. Takes time linear in both parts, whatever
 * they contain.
 */
export function commonStretches(from: string, fromSpan: Span, to: string, toSpan: Span): Stretch[] {
  return new StretchSearch(from, fromSpan, to, toSpan).run();
}

class StretchSearch {
  private readonly notes: Notes;
  private readonly window: HashWindow;
  private lookAhead = MAX_LOOK_AHEAD;
  /** Everything before these places is settled. */
  private fromPlace: number;
  private toPlace: number;

  constructor(
    private readonly from: string,
    private readonly fromSpan: Span,
    private readonly to: string,
    private readonly toSpan: Span,
  ) {
    this.notes = new Notes(from, fromSpan);
    this.window = new HashWindow(to);
    this.fromPlace = fromSpan.start;
    this.toPlace = toSpan.start;
  }

  run(): Stretch[] {
    const stretches: Stretch[] = [];
    for (let found = this.nearest(); found; found = this.nearest()) {
      const length = this.commonAfter(found.from, found.to, 0, Infinity);
      stretches.push({ ...found, length });
      this.fromPlace = found.from + length;
      this.toPlace = found.to + length;
    }
    return stretches;
  }

  /** The beginning of the next common stretch: long enough, and leaving little of both texts behind. */
  private nearest(): { from: number; to: number } | undefined {
    let best: { from: number; to: number } | undefined;
    let bestGain = -Infinity;
    const last = this.toSpan.end - GRAM;
    for (let to = this.toPlace; to <= last; to += 1) {
      // What comes later leaves more behind, and past a certain length all stretches are equally good.
      if (best && (ENOUGH - (to - this.toPlace) <= bestGain || this.lookAhead < 0)) break;
      if (best) this.lookAhead -= 1;
      const from = this.notes.find(this.window.hashAt(to), this.to, to, this.fromPlace);
      // On the same diagonal it is a later part of what was found already.
      if (from === -1 || (best && from - to === best.from - best.to)) continue;
      const back = this.commonBefore(from, to);
      const found = { from: from - back, to: to - back };
      const gain = this.gainOf(found, back);
      if (gain > bestGain) {
        bestGain = gain;
        best = found;
      }
    }
    return best;
  }

  private gainOf({ from, to }: { from: number; to: number }, known: number): number {
    const length = this.commonAfter(from, to, known + GRAM, ENOUGH);
    this.lookAhead -= length / GRAM;
    return length - (from - this.fromPlace) - (to - this.toPlace);
  }

  private commonBefore(from: number, to: number): number {
    const most = Math.min(from - this.fromPlace, to - this.toPlace);
    let back = 0;
    while (
      back < most &&
      this.from.charCodeAt(from - back - 1) === this.to.charCodeAt(to - back - 1)
    ) {
      back += 1;
    }
    this.lookAhead -= back;
    return back;
  }

  /** Units from here on that agree, at most `limit`; the first `known` are known to. */
  private commonAfter(from: number, to: number, known: number, limit: number): number {
    const most = Math.min(this.fromSpan.end - from, this.toSpan.end - to, limit);
    let length = Math.min(known, most);
    while (
      length < most &&
      this.from.charCodeAt(from + length) === this.to.charCodeAt(to + length)
    ) {
      length += 1;
    }
    return length;
  }
}

/** Where the grams of a text stand: chains of places in ascending order, by hash. */
class Notes {
  private readonly heads: Int32Array;
  private readonly nexts: Int32Array;
  private readonly mask: number;

  constructor(
    private readonly text: string,
    private readonly span: Span,
  ) {
    const count = Math.max(0, Math.floor((span.end - span.start - GRAM) / STEP) + 1);
    const buckets = 2 ** Math.ceil(Math.log2(count + 1));
    this.mask = buckets - 1;
    this.heads = new Int32Array(buckets).fill(-1);
    this.nexts = new Int32Array(count);
    for (let note = count - 1; note >= 0; note -= 1) {
      const bucket = mixed(hashOf(text, this.placeOf(note))) & this.mask;
      this.nexts[note] = this.heads[bucket] ?? -1;
      this.heads[bucket] = note;
    }
  }

  /** The first noted place at or after `least` where the gram of `other` at `at` stands; -1 where it does not. */
  find(hash: number, other: string, at: number, least: number): number {
    const bucket = hash & this.mask;
    let note = this.heads[bucket] ?? -1;
    // What is settled is never asked for again.
    while (note !== -1 && this.placeOf(note) < least) note = this.nexts[note] ?? -1;
    this.heads[bucket] = note;
    for (let tried = 0; note !== -1 && tried < MAX_CHAIN; tried += 1) {
      if (sameGram(this.text, this.placeOf(note), other, at)) return this.placeOf(note);
      note = this.nexts[note] ?? -1;
    }
    return -1;
  }

  private placeOf(note: number): number {
    return this.span.start + note * STEP;
  }
}

/** The hash of the gram at any place, cheaply where the place before was the last one asked for. */
class HashWindow {
  private place = -2;
  private hash = 0;

  constructor(private readonly text: string) {}

  hashAt(place: number): number {
    if (place === this.place + 1) {
      const rest = this.hash - imul(this.text.charCodeAt(this.place) + 1, FACTOR_OF_FIRST);
      this.hash = (imul(rest, FACTOR) + this.text.charCodeAt(place + GRAM - 1) + 1) | 0;
    } else {
      this.hash = hashOf(this.text, place);
    }
    this.place = place;
    return mixed(this.hash);
  }
}

function hashOf(text: string, place: number): number {
  let hash = 0;
  for (let index = place; index < place + GRAM; index += 1) {
    hash = (imul(hash, FACTOR) + text.charCodeAt(index) + 1) | 0;
  }
  return hash;
}

/** Low bits that depend on all bits: tables are cut to a power of two. */
function mixed(hash: number): number {
  return imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8;
}

function sameGram(one: string, at: number, other: string, otherAt: number): boolean {
  for (let index = 0; index < GRAM; index += 1) {
    if (one.charCodeAt(at + index) !== other.charCodeAt(otherAt + index)) return false;
  }
  return true;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count += 1) result = imul(result, base);
  return result;
}
