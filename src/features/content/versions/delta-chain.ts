import type { Splice } from './reverse-deltas.js';

/** A part of a text that is being built: of an inserted text, or of the text at the beginning where `text` is undefined. */
interface Piece {
  text: string | undefined;
  start: number;
  end: number;
}

/**
 * The text after a chain of deltas of `makeDelta`, the first one applied first. Deltas are joined two by two, so none of
 * the texts between is ever built: time grows with the text and with the splices, times the logarithm of their number.
 * Throws when the chain does not fit the text.
 */
export function applyDeltas(text: string, deltas: readonly string[]): string {
  let changes = deltas.map((delta) => piecesOf(JSON.parse(delta) as Splice[]));
  while (changes.length > 1) changes = joinedByTwos(changes);
  const [change] = changes;
  return change ? built(text, change) : text;
}

/** What a delta makes of any text; the last piece takes the rest, however long. */
function piecesOf(splices: readonly Splice[]): Piece[] {
  const pieces: Piece[] = [];
  let place = 0;
  for (const [start, deleteCount, inserted] of splices) {
    if (start < place || deleteCount < 0) throw new Error('A stored delta is not in order');
    add(pieces, undefined, place, start);
    add(pieces, inserted, 0, inserted.length);
    place = start + deleteCount;
  }
  add(pieces, undefined, place, Infinity);
  return pieces;
}

function joinedByTwos(changes: readonly Piece[][]): Piece[][] {
  const joined: Piece[][] = [];
  for (let index = 0; index < changes.length; index += 2) {
    const [first = [], second] = changes.slice(index, index + 2);
    joined.push(second ? joinedPieces(first, second) : first);
  }
  return joined;
}

/** One change that does what `first` and then `second` do; both ascend, so one walk through each is enough. */
function joinedPieces(first: readonly Piece[], second: readonly Piece[]): Piece[] {
  const pieces: Piece[] = [];
  let index = 0;
  /** Where `first[index]` begins in what `first` builds. */
  let place = 0;
  for (const wanted of second) {
    if (wanted.text !== undefined) {
      add(pieces, wanted.text, wanted.start, wanted.end);
      continue;
    }
    for (let piece = first[index]; piece && place < wanted.end; piece = first[index]) {
      const offset = piece.start - place;
      const end = place + piece.end - piece.start;
      if (end > wanted.start) {
        const from = Math.max(place, wanted.start);
        add(pieces, piece.text, from + offset, Math.min(end, wanted.end) + offset);
      }
      if (end > wanted.end) break;
      place = end;
      index += 1;
    }
  }
  return pieces;
}

/** Adds a piece, or makes the last one longer where the two touch in the text at the beginning. */
function add(pieces: Piece[], text: string | undefined, start: number, end: number): void {
  if (start >= end) return;
  const last = pieces.at(-1);
  if (last && text === undefined && last.text === undefined && last.end === start) last.end = end;
  else pieces.push({ text, start, end });
}

function built(text: string, pieces: readonly Piece[]): string {
  const parts = pieces.map((piece) => {
    const end = piece.end === Infinity ? text.length : piece.end;
    if (piece.text === undefined && (piece.start > text.length || end > text.length)) {
      throw new Error('A stored delta does not fit the text it belongs to');
    }
    return (piece.text ?? text).slice(piece.start, end);
  });
  return parts.join('');
}
