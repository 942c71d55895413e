import bidiFactory from 'bidi-js';
import { hasRightToLeft } from '../rich-text/rich-text.js';

const bidi = bidiFactory();

/** Returns the bidi level of each UTF-16 unit (odd: right to left), or `undefined` if all text runs left to right. */
export function levelsOf(text: string, rightToLeft: boolean): Uint8Array | undefined {
  if (!rightToLeft && !hasRightToLeft(text)) return undefined;
  return bidi.getEmbeddingLevels(text, rightToLeft ? 'rtl' : 'ltr').levels;
}

/** Reorders the pieces of a line from reading order to visual order, left to right (UAX #9, L2). */
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
 * Prepares a right-to-left piece for the shaper: mirrors brackets, and reverses text without letters, which the shaper
 * does not reverse.
 */
export function turned(text: string): string {
  const mirrored = Array.from(
    text,
    (character) => bidi.getMirroredCharacter(character) ?? character,
  );
  return hasRightToLeft(text) ? mirrored.join('') : mirrored.reverse().join('');
}
