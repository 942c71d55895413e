import { levelsOf, visualOrder } from './bidi-text.js';
import type { Face } from './font-set.js';
import { graphemesOf, JOINED, wordsOf, type Stretch } from './line-breaks.js';
import type { PdfCanvas, Piece } from './pdf-canvas.js';
import type { Span, TextStyle } from './text-style.js';

/** A line that is ready to draw, as pieces from left to right. */
export interface Line {
  pieces: readonly (Piece & { width: number })[];
  width: number;
  /** Size of the largest letters. */
  size: number;
}

/** Adjacent text with the same span, face and level. */
interface Run {
  start: number;
  end: number;
  face: Face;
  style: TextStyle;
  level: number;
}

/* eslint-disable no-control-regex, no-misleading-character-class -- single code points are meant, whatever they do to their neighbours */
/** Invisible characters. Layout has already applied their effect. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufe00-\ufe0f]|\udb40[\udc00-\uddef]/g;
/* eslint-enable no-control-regex, no-misleading-character-class */
/** UTF-16 units. No longer word fits on a page. */
const LONG_WORD = 400;

/** Breaks spans of text into lines of at most `width`. */
export function layoutLines(
  spans: readonly Span[],
  width: number,
  rightToLeft: boolean,
  canvas: PdfCanvas,
): Line[] {
  const setter = LineSetter.of(spans, rightToLeft, canvas);
  return breakLines(setter, width).map((line) => setter.set(line));
}

/** Width of a text with every possible line break, and with none, in points. */
export interface ContentWidth {
  /** Width of the widest word. */
  min: number;
  /** Width of the text on one line. */
  max: number;
}

/** Measures spans of text for a column. Words wider than `limit` will be broken, so only their parts count. */
export function measureLine(
  spans: readonly Span[],
  limit: number,
  rightToLeft: boolean,
  canvas: PdfCanvas,
): ContentWidth {
  const setter = LineSetter.of(spans, rightToLeft, canvas);
  let [min, max, used] = [0, 0, 0];
  const add = (stretch: Stretch): boolean => {
    const { inked, full } = setter.widthOf(stretch);
    if (inked > limit) return false;
    min = Math.max(min, inked);
    max = used + inked;
    used += full;
    return true;
  };
  for (const word of wordsOf(setter.text)) {
    if (add(word)) continue;
    for (const part of word.parts) if (!add(part)) max = used += limit;
  }
  return { min, max };
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

/** Returns the face of a character. Spaces and marks use the face of the previous letter if it contains them. */
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

function breakLines(setter: LineSetter, width: number): Stretch[] {
  const { text } = setter;
  const lines: Stretch[] = [];
  let [start, used] = [0, 0];
  /** Adds a stretch to this line or the next. Returns false if it is wider than a line. */
  const add = (stretch: Stretch): boolean => {
    const { inked, full } = setter.widthOf(stretch);
    if (used + inked > width && used > 0) {
      lines.push({ start, end: stretch.start });
      [start, used] = [stretch.start, 0];
    }
    if (inked > width) return false;
    used += full;
    return true;
  };
  for (const word of wordsOf(text)) {
    if (add(word)) continue;
    for (const part of word.parts) {
      if (add(part)) continue;
      for (const character of graphemesOf(text, part)) if (!add(character)) used = Infinity;
    }
  }
  if (start < text.length) lines.push({ start, end: text.length });
  return lines;
}

/** Measures any part of one paragraph. Parts must be requested in reading order. */
class LineSetter {
  /** Index of the first run that can still be requested. */
  private measured = 0;
  private drawn = 0;

  private constructor(
    readonly text: string,
    private readonly runs: readonly Run[],
    private readonly baseLevel: number,
    private readonly canvas: PdfCanvas,
  ) {}

  static of(spans: readonly Span[], rightToLeft: boolean, canvas: PdfCanvas): LineSetter {
    const text = spans.map((span) => span.text).join('');
    const runs = runsOf(spans, levelsOf(text, rightToLeft), canvas);
    return new LineSetter(text, runs, rightToLeft ? 1 : 0, canvas);
  }

  /** Returns the width of a stretch with and without trailing white space. */
  widthOf({ start, end }: Stretch): { full: number; inked: number } {
    if (end - start > LONG_WORD) return { full: Infinity, inked: Infinity };
    this.measured = this.firstRun(this.measured, start);
    const inkedEnd = start + this.text.slice(start, end).trimEnd().length;
    const inked = this.sum(this.measured, start, inkedEnd);
    return {
      inked,
      full: inkedEnd === end ? inked : inked + this.sum(this.measured, inkedEnd, end),
    };
  }

  set({ start, end }: Stretch): Line {
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

/** Returns the visible text for a face. */
function shown(text: string, face: Face): string {
  const seen = text.replaceAll('\t', '    ').replace(UNSEEN, '');
  return /[\u200c\u200d]/.test(seen) && !face.has(0x200d)
    ? seen.replace(/[\u200c\u200d]/g, '')
    : seen;
}
