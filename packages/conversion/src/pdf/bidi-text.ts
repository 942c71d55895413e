import bidiFactory from 'bidi-js';
import { hasRightToLeft } from '../rich-text/rich-text.js';

const bidi = bidiFactory();

/** The level of each UTF-16 unit (odd: right to left); `undefined` when all of it runs from left to right. */
export function levelsOf(text: string, rightToLeft: boolean): Uint8Array | undefined {
  if (!rightToLeft && !hasRightToLeft(text)) return undefined;
  return bidi.getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr').levels;
}

/** Puts the pieces of a line from the order of reading into the order from left to right (UAX #9, L2). */
export function visualOrder<Piece extends { level: number }>(pieces: readonly Piece[]): Piece[] {
  const ordered = [...pieces];
  const levels = ordered.map(({ level }) => level);
  const highest = Math.max(0, ...levels);
  for (let level = highest; level > 0; level -= 1) {
    let start = 0;
    while (start < ordered.length) {
      if ((ordered[start]?.level ?? 0) < level) {
        start += 1;
        continue;
      }
      let end = start;
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

/**
 * The text of a piece that runs from right to left as the shaper wants it: brackets mirrored, and turned round where it
 * has no letter that would make the shaper do so.
 */
export function turned(text: string): string {
  const mirrored = Array.from(
    text,
    (character) => bidi.getMirroredCharacter(character) ?? character,
  );
  return hasRightToLeft(text) ? mirrored.join('') : mirrored.reverse().join('');
}
