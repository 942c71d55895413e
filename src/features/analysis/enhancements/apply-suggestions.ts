import type { TextRange } from '@document-service/text-analysis/analysis';

/** A passage and what is to stand there instead. */
export interface Edit extends TextRange {
  id: string;
  value: string;
  /** Of two that overlap the surer one is made; 0 to 1. */
  confidence: number;
}

/** An edit that cannot be made because it overlaps another one. */
export interface Conflict {
  id: string;
  /** The edit that is made instead: as sure as this one or surer. */
  with: string;
}

/** Which edits can be made together, in the order of the text: the surest first, then each that overlaps none of them. */
export function compatibleEdits(edits: readonly Edit[]): { edits: Edit[]; conflicts: Conflict[] } {
  const all = clustersOf(edits).map(surestOf);
  return {
    edits: inOrder(all.flatMap((cluster) => cluster.edits)),
    conflicts: all.flatMap(({ conflicts }) => conflicts),
  };
}

/** Runs of edits in which each may overlap another one. */
function clustersOf(edits: readonly Edit[]): Edit[][] {
  const clusters: Edit[][] = [];
  let end = -1;
  for (const edit of inOrder(edits)) {
    const last = clusters.at(-1);
    if (last && edit.start <= end) last.push(edit);
    else clusters.push([edit]);
    end = Math.max(end, edit.end);
  }
  return clusters;
}

function surestOf(cluster: readonly Edit[]): { edits: Edit[]; conflicts: Conflict[] } {
  const made: Edit[] = [];
  const conflicts: Conflict[] = [];
  // Sorting keeps the order of the text among equals.
  for (const edit of [...cluster].sort((one, other) => other.confidence - one.confidence)) {
    const other = made.find((one) => overlap(one, edit));
    if (other) conflicts.push({ id: edit.id, with: other.id });
    else made.push(edit);
  }
  return { edits: made, conflicts };
}

/** The text with all of the edits made, which must be compatible, and nothing else changed. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [result, place] = ['', 0];
  for (const { start, end, value } of inOrder(edits)) {
    result += text.slice(place, start) + value;
    place = end;
  }
  return result + text.slice(place);
}

/** Where a passage stands after compatible edits; null when one of them changed it. */
export function rangeAfter(range: TextRange, edits: readonly Edit[]): TextRange | null {
  let shift = 0;
  for (const edit of edits) {
    if (overlap(edit, range)) return null;
    if (edit.end <= range.start) shift += edit.value.length - (edit.end - edit.start);
  }
  return { start: range.start + shift, end: range.end + shift };
}

/** Two insertions at one place overlap too: neither comes before the other. */
export function overlap(one: TextRange, other: TextRange): boolean {
  const bothEmpty = one.start === one.end && other.start === other.end;
  if (bothEmpty) return one.start === other.start;
  return one.start < other.end && other.start < one.end;
}

function inOrder(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
}

/** Line and column of positions in a text, each from 1; the column in UTF-16 units. Positions must rise. */
export function placesOf(
  text: string,
  positions: readonly number[],
): { line: number; column: number }[] {
  const startAfter = (start: number) => text.indexOf('\n', start) + 1 || Infinity;
  let [line, start, next] = [1, 0, startAfter(0)];
  return positions.map((position) => {
    while (next <= position) {
      [line, start] = [line + 1, next];
      next = startAfter(start);
    }
    return { line, column: position - start + 1 };
  });
}
