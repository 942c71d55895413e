import { placesOf } from '../../enhancements/apply-suggestions.js';
import type { HashedParagraph } from './model-thread.js';
import { sentenceOf, type PieceFailure } from './piece-run.js';

/** Parts that a warning names at most. */
const MOST_NAMED_PARTS = 10;

/** Returns a warning per reason that names the lines which the model has not processed. */
export function partWarnings(
  text: string,
  pieces: readonly HashedParagraph[][],
  failed: readonly { index: number; failure: PieceFailure }[],
): string[] {
  if (failed.length === 0) return [];
  const ranges = failed.map(({ index }) => ({
    start: pieces[index]?.[0]?.start ?? 0,
    end: pieces[index]?.at(-1)?.end ?? 0,
  }));
  const ends = ranges.flatMap(({ start, end }) => [start, Math.max(start, end - 1)]);
  const places = placesOf(text, ends);
  const byReason = new Map<string, { from: number; to: number; last: number }[]>();
  const counts = new Map<string, number>();
  for (const [position, { index, failure }] of failed.entries()) {
    const reason = sentenceOf(failure);
    const from = places[position * 2]?.line ?? 1;
    const to = places[position * 2 + 1]?.line ?? from;
    const known = byReason.get(reason) ?? [];
    const before = known.at(-1);
    if (before?.last === index - 1) Object.assign(before, { to, last: index });
    else known.push({ from, to, last: index });
    byReason.set(reason, known);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...byReason].map(([reason, lines]) => {
    const named = lines
      .slice(0, MOST_NAMED_PARTS)
      .map(({ from, to }) => (from === to ? String(from) : `${String(from)}–${String(to)}`));
    const more = lines.length > named.length ? ' and later ones' : '';
    const parts = `${String(counts.get(reason) ?? 0)} of ${String(pieces.length)} parts`;
    return `The model did not process lines ${named.join(', ')}${more} (${parts}). ${reason}`;
  });
}
