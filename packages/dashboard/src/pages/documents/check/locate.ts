import { mapPosition, textEdits } from '@document-service/text-merge/text-edits';

/** A passage of a version of the text, in UTF-16 units. */
export interface Passage {
  start: number;
  end: number;
  original: string;
}

export interface Place {
  from: number;
  to: number;
}

/** Maximum distance at which a passage is searched if its version is unknown. */
const NEAR = 500;

/** Returns the position of a passage of `version` in the current text, or undefined if the passage changed. */
export function placeIn(text: string, version: string, passage: Passage): Place | undefined {
  const { start, end, original } = passage;
  if (version.slice(start, end) !== original) return locate(text, passage);
  const edits = text === version ? [] : textEdits(version, text);
  const from = mapPosition(start, edits, 1);
  const to = mapPosition(end, edits, -1);
  return text.slice(from, to) === original ? { from, to } : undefined;
}

/** Returns the nearest place with the same words, or undefined if there is none nearby. */
export function locate(text: string, { start, end, original }: Passage): Place | undefined {
  if (text.slice(start, end) === original) return { from: start, to: end };
  const first = Math.max(0, start - NEAR);
  const area = text.slice(first, end + NEAR);
  let nearest: number | undefined;
  for (let at = area.indexOf(original); at !== -1; at = area.indexOf(original, at + 1)) {
    const found = first + at;
    if (!isWhole(text, found, found + original.length)) continue;
    if (nearest !== undefined && Math.abs(found - start) >= Math.abs(nearest - start)) break;
    nearest = found;
  }
  return nearest === undefined ? undefined : { from: nearest, to: nearest + original.length };
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** Returns false if the passage starts or ends within a word. */
function isWhole(text: string, from: number, to: number): boolean {
  const cuts = (at: number) => LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at));
  return !cuts(from) && !cuts(to);
}
