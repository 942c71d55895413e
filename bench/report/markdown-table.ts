import type { Latency } from '../results.js';

/** Returns a Markdown table with aligned columns, which is readable in a terminal and on a page. */
export function markdownTable(header: string[], rows: string[][]): string {
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length), title.length),
  );
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const ruler = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(header), ruler, ...rows.map(line)].join('\n');
}

/** Returns p50 and p99 for one cell. */
export function latencies({ p50, p99 }: Latency): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
}

export function reachedWord(reached: boolean | undefined): string {
  if (reached === undefined) return '–';
  return reached ? 'yes' : 'NO';
}
