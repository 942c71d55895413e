import type { ContentWidth } from './line-layout.js';

/** Maximum width of a table, in points. */
interface Room {
  portrait: number;
  /** Missing if the page cannot be rotated. */
  landscape?: number | undefined;
}

interface ColumnLayout {
  landscape: boolean;
  /** Scale of the type and everything proportional to it. At most 1. */
  scale: number;
  /** Tables, one below the other, that together show all columns. One table if the page is wide enough. */
  parts: SizedColumn[][];
}

export interface SizedColumn {
  /** Index of the column in the table. */
  column: number;
  /** Points. */
  width: number;
}

/** Tables with at least this many columns use a landscape page. */
const LANDSCAPE_FROM = 12;

/**
 * Fits the widest word of each column: on a portrait page if there are few columns, else on a landscape page, else in
 * smaller type down to `minScale`, else in several tables that repeat the first column.
 */
export function layoutColumns(
  columns: readonly ContentWidth[],
  { portrait, landscape }: Room,
  minScale: number,
): ColumnLayout {
  const pages = [
    { landscape: false, width: portrait },
    ...(landscape === undefined ? [] : [{ landscape: true, width: landscape }]),
  ].slice(columns.length < LANDSCAPE_FROM ? 0 : -1);
  const needed = sum(columns.map(({ min }) => min));
  const fits = ({ width }: { width: number }) => needed * minScale <= width;
  const page = pages.find(fits) ?? pages.at(-1) ?? { landscape: false, width: portrait };
  const scale = Math.max(minScale, Math.min(1, page.width / needed));
  const scaled = columns.map(({ min, max }) => ({ min: min * scale, max: max * scale }));
  const parts = fits(page) ? [columns.map((_, column) => column)] : split(scaled, page.width);
  return {
    landscape: page.landscape,
    scale,
    parts: parts.map((part) => shareOut(scaled, part, page.width)),
  };
}

/** Splits columns into tables with as many columns as fit. Repeats the first column if that leaves space for another. */
function split(columns: readonly ContentWidth[], width: number): number[][] {
  const min = (column: number) => columns[column]?.min ?? 0;
  const parts: number[][] = [];
  let used = Infinity;
  for (const column of columns.keys()) {
    if (used + min(column) > width) {
      const repeatsFirst = column > 0 && min(0) + min(column) <= width;
      parts.push(repeatsFirst ? [0] : []);
      used = repeatsFirst ? min(0) : 0;
    }
    parts.at(-1)?.push(column);
    used += min(column);
  }
  return parts;
}

/**
 * Gives each column the width of its widest word, as CSS does. Divides the rest in proportion to the square root of what
 * its longest line lacks, so four times the text gets twice the width and twice the height.
 */
function shareOut(
  columns: readonly ContentWidth[],
  part: readonly number[],
  width: number,
): SizedColumn[] {
  const sized = part.map((column) => {
    const { min, max } = columns[column] ?? { min: 0, max: 0 };
    return { column, width: min, lacking: max - min, weight: Math.sqrt(max - min) };
  });
  let left = Math.max(0, width - sum(sized.map((one) => one.width)));
  let weights = sum(sized.map(({ weight }) => weight));
  // Columns that lack the least come first and leave more for the others.
  for (const one of sized.toSorted((a, b) => a.lacking - b.lacking)) {
    if (one.lacking <= 0) continue;
    const more = Math.min(one.lacking, (left * one.weight) / weights);
    one.width += more;
    left -= more;
    weights -= one.weight;
  }
  return sized.map((one) => ({ column: one.column, width: one.width }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
