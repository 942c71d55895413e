import type { TextRange } from '@document-service/text-analysis/analysis';

const BLANK_LINE = /\n[ \t\r]*\n/g;

/** Returns the ranges, extended to the blank lines around them, in order and without overlaps. */
export function wholeParagraphs(text: string, ranges: readonly TextRange[]): TextRange[] {
  const starts = [0];
  for (const { index, 0: blank } of text.matchAll(BLANK_LINE)) starts.push(index + blank.length);
  const wanted = [...ranges].sort((one, other) => one.start - other.start);
  const found: TextRange[] = [];
  let next = 0;
  starts.forEach((start, index) => {
    const end = starts[index + 1] ?? text.length;
    while (next < wanted.length && (wanted[next]?.end ?? 0) <= start) next += 1;
    const range = wanted[next];
    if (!range || range.start >= end) return;
    const last = found.at(-1);
    if (last?.end === start) last.end = end;
    else found.push({ start, end });
  });
  return found;
}
