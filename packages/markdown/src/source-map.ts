import type { Token } from 'markdown-it';

/** A range of the source, in UTF-16 units. */
export interface SourceRange {
  start: number;
  end: number;
}

/** Parts of a block's content that are contiguous in the source, in order. */
export class SourceMap {
  private readonly segments: { content: number; source: number }[] = [];

  /** The content from offset `content` on is at offset `source` in the source. */
  add(content: number, source: number): this {
    this.segments.push({ content, source });
    return this;
  }

  /** Returns the ranges of the source that contain this range of the content. */
  rangesOf(start: number, end: number): SourceRange[] {
    const ranges: SourceRange[] = [];
    for (let index = this.indexAt(start), from = start; from < end; index += 1) {
      const { content, source } = this.segments[index] ?? { content: 0, source: 0 };
      const to = Math.min(end, this.segments[index + 1]?.content ?? end);
      ranges.push({ start: source + from - content, end: source + to - content });
      from = to;
    }
    return ranges;
  }

  /** Returns the range of the source from the first to the last unit of this range of the content. */
  rangeOf(start: number, end: number): SourceRange {
    return { start: this.sourceOf(start), end: this.sourceOf(end - 1) + 1 };
  }

  sourceOf(offset: number): number {
    const { content, source } = this.segments[this.indexAt(offset)] ?? { content: 0, source: 0 };
    return source + offset - content;
  }

  private indexAt(offset: number): number {
    let low = 0;
    let high = this.segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.segments[middle]?.content ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Returns the lines of the source without line breaks, as markdown-it counts them. */
export function linesOf(source: string): SourceRange[] {
  const lines: SourceRange[] = [];
  let start = 0;
  for (const { 0: end, index } of source.matchAll(/\r\n?|\n/g)) {
    lines.push({ start, end: index });
    start = index + end.length;
  }
  lines.push({ start, end: source.length });
  return lines;
}

/**
 * Maps the content of a paragraph or a heading. Markers of containers come before the content of a line, so each line of
 * the content is the end of its line in the source. Only white space and the closing `#` of a heading follow it.
 */
export function mapLines(source: string, { content, map }: Token, lines: SourceRange[]): SourceMap {
  const result = new SourceMap();
  let offset = 0;
  for (const [index, text] of content.split('\n').entries()) {
    const line = lines[(map?.[0] ?? 0) + index] ?? { start: 0, end: 0 };
    result.add(offset, line.start + startInLine(source.slice(line.start, line.end), text));
    offset += text.length + 1;
  }
  return result;
}

function startInLine(line: string, text: string): number {
  if (line.endsWith(text)) return line.length - text.length;
  const trimmed = line.trimEnd();
  if (trimmed.endsWith(text)) return trimmed.length - text.length;
  const at = line.lastIndexOf(text);
  // Only the white space of an expanded tab is not in the source.
  return at >= 0 ? at : line.length - text.length;
}

/** Markers of the containers around a table row. */
const ROW_PREFIX = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

/** Returns the ranges of a row's cells, without white space around them. */
export function cellsOf(source: string, { start, end }: SourceRange): SourceRange[] {
  const row = source.slice(start, end).trimEnd();
  let from = ROW_PREFIX.exec(row)?.[0].length ?? 0;
  if (row[from] === '|') from += 1;
  const cells: SourceRange[] = [];
  for (let at = from; at <= row.length; at += 1) {
    if (at < row.length && (row[at] !== '|' || row[at - 1] === '\\')) continue;
    const cell = row.slice(from, at);
    const blank = cell.length - cell.trimStart().length;
    cells.push({ start: start + from + blank, end: start + from + cell.trimEnd().length });
    from = at + 1;
  }
  return cells;
}

/** Maps the content of a cell, where `\|` stands for `|`. */
export function mapCell(source: string, { start, end }: SourceRange): SourceMap {
  const result = new SourceMap();
  let content = 0;
  let from = start;
  result.add(content, from);
  for (
    let at = source.indexOf('\\|', start);
    at >= 0 && at < end;
    at = source.indexOf('\\|', at + 2)
  ) {
    content += at - from;
    from = at + 1;
    result.add(content, from);
  }
  return result;
}
