import LineBreaker from 'linebreak';
import { levelsOf, visualOrder } from './bidi-text.js';
import type { Face } from './font-shelf.js';
import type { PdfCanvas, Piece } from './pdf-canvas.js';
import type { Span, TextStyle } from './text-style.js';

/** A line that is ready to be drawn: pieces from left to right. */
export interface Line {
  pieces: readonly (Piece & { width: number })[];
  width: number;
  /** The size of its largest letters. */
  size: number;
}

/** Units of text that share span, face and level. */
interface Run {
  start: number;
  end: number;
  face: Face;
  style: TextStyle;
  level: number;
}

/* eslint-disable no-control-regex, no-misleading-character-class -- single code points are meant, whatever they do to their neighbours */
/** Characters without any look: what they say has been done when lines are drawn. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufe00-\ufe0f]|\udb40[\udc00-\uddef]/g;
/** Units; what is longer is not measured as a whole. */
const LONG_WORD = 200;
/** Belongs to the character before it and to its face. */
const JOINED = /^[\p{M}\u200c\u200d\u{1f3fb}-\u{1f3ff}]$/u;
/* eslint-enable no-control-regex, no-misleading-character-class */

/** Breaks spans of text into lines of at most `width`. */
export function layoutLines(
  spans: readonly Span[],
  width: number,
  rightToLeft: boolean,
  canvas: PdfCanvas,
): Line[] {
  const text = spans.map((span) => span.text).join('');
  if (text === '') return [];
  const runs = runsOf(spans, levelsOf(text, rightToLeft), canvas);
  const setter = new LineSetter(text, runs, rightToLeft ? 1 : 0, canvas);
  return breakLines(text, width, setter).map(([start, end]) => setter.set(start, end));
}

function runsOf(spans: readonly Span[], levels: Uint8Array | undefined, canvas: PdfCanvas): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const { text, style } of spans) {
    for (const character of text) {
      const level = levels?.[at] ?? 0;
      const last = runs.at(-1);
      const face = faceOf(character, style, last, canvas);
      const end = at + character.length;
      if (last?.style === style && last.face === face && last.level === level) last.end = end;
      else runs.push({ start: at, end, face, style, level });
      at = end;
    }
  }
  return runs;
}

/** A space or a mark is written with the face of the letter before it, if that has it. */
function faceOf(
  character: string,
  style: TextStyle,
  last: Run | undefined,
  canvas: PdfCanvas,
): Face {
  const codePoint = character.codePointAt(0) ?? 0;
  const before = last?.style === style ? last.face : undefined;
  if (before && JOINED.test(character)) return before;
  if (before && character === ' ' && before.has(codePoint)) return before;
  return canvas.faceFor(codePoint, style);
}

/** Start and end of each line. */
function breakLines(text: string, width: number, setter: LineSetter): [number, number][] {
  const lines: [number, number][] = [];
  const breaker = new LineBreaker(text);
  let [start, taken, used] = [0, 0, 0];
  const flush = (end: number) => {
    lines.push([start, end]);
    [start, used] = [end, 0];
  };
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const { position } = next;
    const long = position - taken > LONG_WORD;
    const word = long ? undefined : setter.widthOf(taken, position);
    if (word && used + word.inked > width && used > 0) flush(taken);
    if (word && word.inked <= width) {
      used += word.full;
    } else {
      // Wider than a line: as many characters as fit, line by line.
      for (const [from, to] of graphemes(text, taken, position)) {
        const { full, inked } = setter.widthOf(from, to);
        if (used + inked > width && from > start) flush(from);
        used += full;
      }
    }
    taken = position;
  }
  if (start < text.length) flush(text.length);
  return lines;
}

/** Knows the width of any part of one paragraph. Parts are asked for in the order of reading. */
class LineSetter {
  /** The first run that may still be asked for. */
  private measured = 0;
  private drawn = 0;

  constructor(
    private readonly text: string,
    private readonly runs: readonly Run[],
    private readonly baseLevel: number,
    private readonly canvas: PdfCanvas,
  ) {}

  /** The width of a part with and without the white space at its end. */
  widthOf(start: number, end: number): { full: number; inked: number } {
    this.measured = this.firstRun(this.measured, start);
    const inkedEnd = start + this.text.slice(start, end).trimEnd().length;
    const inked = this.sum(this.measured, start, inkedEnd);
    return {
      inked,
      full: inkedEnd === end ? inked : inked + this.sum(this.measured, inkedEnd, end),
    };
  }

  set(start: number, end: number): Line {
    this.drawn = this.firstRun(this.drawn, start);
    const inkedEnd = start + this.text.slice(start, end).trimEnd().length;
    const logical = this.pieces(this.drawn, start, inkedEnd);
    const ordered =
      this.baseLevel === 0 && logical.every(({ level }) => level === 0)
        ? logical
        : visualOrder(logical);
    const pieces = ordered.map((piece) => ({ ...piece, width: this.canvas.width(piece) }));
    return {
      pieces,
      width: pieces.reduce((sum, piece) => sum + piece.width, 0),
      size: pieces.reduce((most, { style }) => Math.max(most, style.size), 0),
    };
  }

  private firstRun(from: number, start: number): number {
    let index = from;
    while ((this.runs[index]?.end ?? Infinity) <= start) index += 1;
    return index;
  }

  private sum(from: number, start: number, end: number): number {
    return this.pieces(from, start, end).reduce((sum, piece) => sum + this.canvas.width(piece), 0);
  }

  private pieces(from: number, start: number, end: number): Piece[] {
    const pieces: Piece[] = [];
    for (let index = from; index < this.runs.length; index += 1) {
      const run = this.runs[index];
      if (!run || run.start >= end) break;
      const text = shown(
        this.text.slice(Math.max(start, run.start), Math.min(end, run.end)),
        run.face,
      );
      if (text !== '') pieces.push({ text, face: run.face, style: run.style, level: run.level });
    }
    return pieces;
  }
}

/** What of the text is drawn with a face. */
function shown(text: string, face: Face): string {
  const seen = text.replaceAll('\t', '    ').replace(UNSEEN, '');
  return /[\u200c\u200d]/.test(seen) && !face.has(0x200d)
    ? seen.replace(/[\u200c\u200d]/g, '')
    : seen;
}

/** Start and end of each character with the marks that belong to it. */
function* graphemes(text: string, start: number, end: number): Generator<[number, number]> {
  let from = start;
  let at = start;
  while (at < end) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (at > from && !JOINED.test(character)) {
      yield [from, at];
      from = at;
    }
    at += character.length;
  }
  if (from < end) yield [from, end];
}
