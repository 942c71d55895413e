import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns Markdown for people: files, and every description in the two API documents. */
function texts(): [place: string, text: string][] {
  const files = [
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'packages/client/README.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => path.join('docs', file)),
  ];
  const descriptions = ['openapi.json', 'openapi.dashboard.json'].flatMap((file) =>
    descriptionsOf(JSON.parse(readFileSync(file, 'utf8')), file),
  );
  return [
    ...files.map((file): [string, string] => [file, readFileSync(file, 'utf8')]),
    ...descriptions,
  ];
}

function descriptionsOf(value: unknown, place: string): [place: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string'
      ? [[`${place}/${name}`, member]]
      : descriptionsOf(member, `${place}/${name}`),
  );
}

/** Returns the tables of a text, with rows and line numbers. Skips code blocks. */
function tablesOf(text: string): { line: number; row: string }[][] {
  const tables: { line: number; row: string }[][] = [];
  let isCode = false;
  let isTable = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const row = line.trim();
    if (isCode || !row.startsWith('|')) {
      isTable = false;
      continue;
    }
    if (!isTable) tables.push([]);
    isTable = true;
    tables.at(-1)?.push({ line: index + 1, row });
  }
  return tables;
}

/** Splits a row as GitHub does: every unescaped `|` ends a cell, even in code. */
function cellsIn(row: string): number {
  return row.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).length;
}

/** Returns one sentence for each row with a different number of cells than its table has headings. */
function problemsOf(text: string): string[] {
  return tablesOf(text).flatMap((rows) => {
    const [head, delimiter] = rows;
    if (!head || !/^[|:\- ]+$/.test(delimiter?.row ?? '')) {
      return [`line ${String(head?.line)} begins a table without a line of dashes`];
    }
    const headings = cellsIn(head.row);
    return rows
      .filter(({ row }) => cellsIn(row) !== headings)
      .map(
        ({ line, row }) =>
          `line ${String(line)} has ${String(cellsIn(row))} cells below ${String(headings)} headings`,
      );
  });
}

describe('every Markdown table', () => {
  it('has as many cells in each row as headings', () => {
    const all = texts();
    expect(all.flatMap(([, text]) => tablesOf(text)).length).toBeGreaterThan(50);
    const problems = all.flatMap(([place, text]) =>
      problemsOf(text).map((problem) => `${place}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it.each([
    ['| a | b |\n| --- | --- |\n| 1 | 2 | 3 |', 'line 3 has 3 cells below 2 headings'],
    ['| a | b |\n| --- |\n| 1 | 2 |', 'line 2 has 1 cells below 2 headings'],
    ['| a |\n| 1 |', 'line 1 begins a table without a line of dashes'],
  ])('%j is rejected', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('can have escaped pipes in its cells', () => {
    expect(problemsOf('| a | b |\n| --- | --- |\n| `x \\| y` | 2 |')).toEqual([]);
  });
});
