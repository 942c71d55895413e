import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { diffContents, type ContentDiff } from './content-diff.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const LABELS = { from: 'v3', to: 'v5' };
const MIB = 1024 * 1024;

const line = fc.constantFrom(
  'a',
  'b',
  '',
  'one two three',
  'one 2 three',
  '世界和平',
  '👍',
  '-x',
  '+x',
  '@@',
  '\\ x',
  '--- a',
  ' \t',
  '\u2028',
  'c\rd',
);
const ending = fc.constantFrom('\n', '\n', '\r\n');
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 25 }), fc.option(line, { nil: '' }))
  .map(([lines, last]) => lines.map((parts) => parts.join('')).join('') + last);
/** A text with two lines changed, doubled or removed. */
const edited = fc
  .tuple(fc.array(line, { minLength: 5, maxLength: 25 }), fc.nat(24), fc.nat(24), text, ending)
  .map(([lines, one, other, by, end]): [string, string] => [
    lines.map((content) => content + end).join(''),
    lines.map((content, index) => (index === one || index === other ? by : content + end)).join(''),
  ]);
const pair = fc.oneof(fc.tuple(text, text), edited);

/**
 * Applies hunks as patch tools do: the parts of `from` outside the hunks, and the lines of each hunk that are not removed.
 */
function appliedHunks(from: string, { hunks }: ContentDiff): string {
  const lines = from.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let result = '';
  let place = 0;
  for (const { fromLine, fromLines, segments } of hunks) {
    const start = fromLines === 0 ? fromLine : fromLine - 1;
    const kept = segments.filter(({ type }) => type !== 'added').map((segment) => segment.text);
    expect(kept.join('')).toBe(lines.slice(start, start + fromLines).join(''));
    result += lines.slice(place, start).join('');
    result += segments
      .filter(({ type }) => type !== 'removed')
      .map((segment) => segment.text)
      .join('');
    place = start + fromLines;
  }
  return result + lines.slice(place).join('');
}

const numbered = (count: number, textOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => textOf(index)).join('');

describe('a diff of two contents', () => {
  it('turns the old content into the new when a patch tool applies it, with any line endings', () => {
    fc.assert(
      fc.property(pair, ([from, to]) => {
        const { unified } = diffContents(from, to, LABELS);
        const applied =
          from === to ? from : applyPatch(from, unified, { autoConvertLineEndings: false });
        expect(applied).toBe(to);
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });

  it('describes the same change by words and by lines', () => {
    fc.assert(
      fc.property(pair, ([from, to]) => {
        const diff = diffContents(from, to, LABELS);
        expect(appliedHunks(from, diff)).toBe(to);
        const hunks = from === to ? [] : (parsePatch(diff.unified)[0]?.hunks ?? []);
        expect(diff.hunks.map(({ fromLines, toLines }) => [fromLines, toLines])).toEqual(
          hunks.map(({ oldLines, newLines }) => [oldLines, newLines]),
        );
        const marks = hunks.flatMap(({ lines }) => lines.map((marked) => marked.charAt(0)));
        expect(diff.stats.addedLines).toBe(marks.filter((mark) => mark === '+').length);
        expect(diff.stats.removedLines).toBe(marks.filter((mark) => mark === '-').length);
        for (const { segments } of diff.hunks) {
          for (const segment of segments) expect(segment.text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('looks like a familiar diff', () => {
    const from = numbered(9, (index) => `line ${String(index + 1)}\n`);
    const to = from.replace('line 5', 'line five').replace('line 9\n', 'line 9');
    expect(diffContents(from, to, LABELS)).toEqual({
      unified: [
        '--- v3',
        '+++ v5',
        '@@ -2,8 +2,8 @@',
        ' line 2',
        ' line 3',
        ' line 4',
        '-line 5',
        '+line five',
        ' line 6',
        ' line 7',
        ' line 8',
        '-line 9',
        '+line 9',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
      hunks: [
        {
          fromLine: 2,
          fromLines: 8,
          toLine: 2,
          toLines: 8,
          segments: [
            { type: 'equal', text: 'line 2\nline 3\nline 4\nline ' },
            { type: 'removed', text: '5' },
            { type: 'added', text: 'five' },
            { type: 'equal', text: '\nline 6\nline 7\nline 8\nline 9' },
            { type: 'removed', text: '\n' },
          ],
        },
      ],
      stats: { addedLines: 2, removedLines: 2, addedWords: 1, removedWords: 1 },
      approximate: false,
    });
  });

  it('is empty for equal contents', () => {
    expect(diffContents('a\n', 'a\n', LABELS)).toEqual({
      unified: '',
      hunks: [],
      stats: { addedLines: 0, removedLines: 0, addedWords: 0, removedWords: 0 },
      approximate: false,
    });
  });

  it('distinguishes words of a text without spaces', () => {
    const [hunk] = diffContents('我喜欢学习中文', '我喜欢学习日文', LABELS).hunks;
    expect(hunk?.segments).toEqual([
      { type: 'equal', text: '我喜欢学习' },
      { type: 'removed', text: '中' },
      { type: 'added', text: '日' },
      { type: 'equal', text: '文' },
    ]);
  });

  it('finds two words in a 1 MiB line', () => {
    const from = numbered(100_000, (index) => `word${String(index)} `);
    const to = from.replace('word77 ', 'term77 ').replace('word99000 ', 'term99000 ');
    const diff = diffContents(from, to, LABELS);
    expect(diff.hunks[0]?.segments.filter(({ type }) => type !== 'equal')).toEqual([
      { type: 'removed', text: 'word77' },
      { type: 'added', text: 'term77' },
      { type: 'removed', text: 'word99000' },
      { type: 'added', text: 'term99000' },
    ]);
    expect(diff.stats).toEqual({ addedLines: 1, removedLines: 1, addedWords: 2, removedWords: 2 });
  });

  it('finds hundreds of changed lines among tens of thousands', () => {
    const from = numbered(30_000, (index) => `this is line number ${String(index)} of the text\n`);
    const to = from.replaceAll(/number (\d*77)\b/g, 'No. $1');
    const diff = diffContents(from, to, LABELS);
    expect(diff.stats).toMatchObject({ addedLines: 300, removedLines: 300 });
    expect(applyPatch(from, diff.unified)).toBe(to);
    expect(appliedHunks(from, diff)).toBe(to);
  });

  it.each([
    [
      'lines in common: none',
      numbered(40_000, (index) => `from ${String(index * 7)}\n`),
      numbered(40_000, (index) => `to ${String(index * 13)}\n`),
    ],
    ['lines: only', '\n'.repeat(200_000), 'a\n\n'.repeat(70_000)],
    ['line feeds: none', 'ab '.repeat(MIB / 3), 'ba  '.repeat(MIB / 4)],
    ['lines alike', 'one line\n'.repeat(110_000), 'one lime\none line\n'.repeat(55_000)],
  ])('takes limited time and is still correct: %s', (_title, from, to) => {
    const started = performance.now();
    const diff = diffContents(from, to, LABELS);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(diff.approximate).toBe(true);
    expect(appliedHunks(from, diff)).toBe(to);
  });
});
