import { diffArrays } from 'diff';
import { commonStretches } from './common-stretches.js';

/** Lines that give way to others: `[fromStart, fromEnd)` of the old text to `[toStart, toEnd)` of the new, from 0. */
export interface LineChange {
  fromStart: number;
  fromEnd: number;
  toStart: number;
  toEnd: number;
}

export interface LineComparison {
  changes: LineChange[];
  /** Whether fewer lines might have been told as changed. */
  approximate: boolean;
}

/** Beyond either the shortest list of changes is not looked for. */
const MAX_EDITS = 1_000;
const MAX_MILLISECONDS = 10;

/** The lines of a text with what ends them; only `\n` ends a line, an empty text has none. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Which lines differ, in ascending order. Both lists of lines joined are texts. */
export function compareLines(from: readonly string[], to: readonly string[]): LineComparison {
  const prefix = commonPrefix(from, to);
  const suffix = commonSuffix(from, to, prefix);
  const fromMiddle = from.slice(prefix, from.length - suffix);
  const toMiddle = to.slice(prefix, to.length - suffix);
  const shortest = shortestChanges(fromMiddle, toMiddle);
  const changes = shortest ?? changesBetweenStretches(fromMiddle, toMiddle);
  return {
    changes: changes.map((change) => ({
      fromStart: change.fromStart + prefix,
      fromEnd: change.fromEnd + prefix,
      toStart: change.toStart + prefix,
      toEnd: change.toEnd + prefix,
    })),
    approximate: shortest === undefined,
  };
}

function shortestChanges(from: string[], to: string[]): LineChange[] | undefined {
  const parts = diffArrays(from, to, { maxEditLength: MAX_EDITS, timeout: MAX_MILLISECONDS });
  if (!parts) return undefined;
  const kept = new KeptLines();
  let fromLine = 0;
  let toLine = 0;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) kept.add(fromLine, toLine, count);
    if (!added) fromLine += count;
    if (!removed) toLine += count;
  }
  return kept.changes(from.length, to.length);
}

/** Keeps the lines that stand whole within what both texts have in common; takes time linear in both. */
function changesBetweenStretches(from: string[], to: string[]): LineChange[] {
  const [fromText, toText] = [from.join(''), to.join('')];
  const kept = new KeptLines();
  const fromWalk = new LineWalk(from);
  const toWalk = new LineWalk(to);
  const fromSpan = { start: 0, end: fromText.length };
  const toSpan = { start: 0, end: toText.length };
  for (const stretch of commonStretches(fromText, fromSpan, toText, toSpan)) {
    const shift = stretch.to - stretch.from;
    fromWalk.forwardTo(stretch.from);
    while (fromWalk.line !== undefined && fromWalk.end <= stretch.from + stretch.length) {
      toWalk.forwardTo(fromWalk.place + shift);
      if (toWalk.place === fromWalk.place + shift && toWalk.line === fromWalk.line) {
        kept.add(fromWalk.index, toWalk.index, 1);
      }
      fromWalk.next();
    }
  }
  return kept.changes(from.length, to.length);
}

/** A walk over the lines of a text that knows where each begins. */
class LineWalk {
  index = 0;
  place = 0;

  constructor(private readonly lines: readonly string[]) {}

  get line(): string | undefined {
    return this.lines[this.index];
  }

  get end(): number {
    return this.place + (this.line?.length ?? 0);
  }

  next(): void {
    this.place = this.end;
    this.index += 1;
  }

  /** Goes on to the first line that begins at or after a place. */
  forwardTo(place: number): void {
    while (this.line !== undefined && this.place < place) this.next();
  }
}

/** Collects lines that stay, in ascending order, and tells what stands between them. */
class KeptLines {
  private readonly found: LineChange[] = [];
  private fromEnd = 0;
  private toEnd = 0;

  add(fromLine: number, toLine: number, count: number): void {
    if (fromLine > this.fromEnd || toLine > this.toEnd) {
      this.found.push({
        fromStart: this.fromEnd,
        fromEnd: fromLine,
        toStart: this.toEnd,
        toEnd: toLine,
      });
    }
    this.fromEnd = fromLine + count;
    this.toEnd = toLine + count;
  }

  changes(fromLines: number, toLines: number): LineChange[] {
    this.add(fromLines, toLines, 0);
    return this.found;
  }
}

function commonPrefix(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  return length;
}

function commonSuffix(one: readonly string[], other: readonly string[], prefix: number): number {
  const most = Math.min(one.length, other.length) - prefix;
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) {
    length += 1;
  }
  return length;
}
