/** A passage of a version of the text, by UTF-16 units. */
export interface Passage {
  start: number;
  end: number;
  original: string;
}

/** How far from its place a passage is looked for, when the text has changed before it. */
const NEAR = 5_000;

/** Returns the position of the passage in the current text, or undefined if the passage changed. */
export function locate(
  text: string,
  { start, end, original }: Passage,
): { from: number; to: number } | undefined {
  if (text.slice(start, end) === original) return { from: start, to: end };
  const first = Math.max(0, start - NEAR);
  const area = text.slice(first, end + NEAR);
  let nearest: number | undefined;
  for (let at = area.indexOf(original); at !== -1; at = area.indexOf(original, at + 1)) {
    const found = first + at;
    if (nearest !== undefined && Math.abs(found - start) >= Math.abs(nearest - start)) break;
    nearest = found;
  }
  return nearest === undefined ? undefined : { from: nearest, to: nearest + original.length };
}
