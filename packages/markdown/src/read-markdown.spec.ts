import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readMarkdown, type MarkdownBlock, type MarkdownInline } from './read-markdown.js';
import { propertyRuns } from '../../../test/support/property-runs.js';

const REPOSITORY = join(__dirname, '../../..');

const summary = (source: string) =>
  readMarkdown(source).map((block) => [block.kind, source.slice(block.start, block.end)]);

const parts = (source: string) =>
  readMarkdown(source).flatMap(({ inlines }) =>
    inlines.map(({ type, start, end }) => [type, source.slice(start, end)]),
  );

/**
 * Checks that parts are in order, and that each text equals its slice of the source. Returns the number of texts. Calls
 * `expect` only to fail, because the calls for all parts of the documentation would take seconds.
 */
function expectExact(
  source: string,
  { start, end, inlines = [] }: Partial<MarkdownInline>,
): number {
  let texts = 0;
  let last = start ?? 0;
  for (const inline of inlines) {
    const slice = source.slice(inline.start, inline.end);
    const isExact = inline.type !== 'text' || slice === inline.value;
    if (inline.start < last || inline.end <= inline.start || !isExact) {
      expect({ last, slice }).toEqual(inline);
    }
    last = inline.end;
    if (inline.type === 'text') texts += 1;
    texts += inline.inlines ? expectExact(source, inline) : 0;
  }
  if (!(last <= (end ?? 0))) expect(last).toBeLessThanOrEqual(end ?? 0);
  return texts;
}

function expectAllExact(source: string): number {
  return readMarkdown(source).reduce(
    (texts, block: MarkdownBlock) =>
      texts + expectExact(source, { start: block.start, end: block.end, inlines: block.inlines }),
    0,
  );
}

describe('readMarkdown', () => {
  it('returns exact ranges for every text in the documentation of this repository', () => {
    const files = readdirSync(join(REPOSITORY, 'docs'), { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((file) => file.endsWith('.md'))
      .map((file) => expectAllExact(readFileSync(join(REPOSITORY, 'docs', file), 'utf8')));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2_000);
  });

  it('returns exact ranges for any text', () => {
    const signs = fc.constantFrom(
      ...['a', 'word ', '\n', '\n\n', '\r\n', '\t', '*', '**', '_', '`', '[', ']', '(x)', '<', '>'],
      ...[
        '<b>',
        '&amp;',
        '\\',
        '# ',
        '- ',
        '1. ',
        '> ',
        '|',
        '\\|',
        '|-|-|\n',
        '~~',
        '~',
        '![',
        ':',
      ],
      ...['[^1]', '[^1]: ', '[a]: b\n', '😀', '---\n', '<http://a.b>', '- [x] ', '    ', '  \n'],
    );
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 60 }), (list) => {
        expectAllExact(list.join(''));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('returns the container of each block', () => {
    const source =
      '# One #\n\nTwo\n===\n\n- [x] three\n  more\n\n> four\n\n1. > five\n\n[^1]: six\n';
    expect(summary(source)).toEqual([
      ['heading', 'One'],
      ['heading', 'Two'],
      ['list-item', 'three\n  more'],
      ['quote', 'four'],
      ['quote', 'five'],
      ['paragraph', 'six'],
    ]);
    expect(readMarkdown(source).map(({ depth }) => depth)).toEqual([
      1,
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['a table', '| a \\| b | **c** |\n|---|---|\n| d | |\n', ['a \\| b', '**c**', 'd']],
    ['a table without outer pipes', 'a | b\n--|--\nc | d\n', ['a', 'b', 'c', 'd']],
    ['a table in a list', '- | a | b |\n  |---|---|\n  | c | d |\n', ['a', 'b', 'c', 'd']],
    ['a table in a quotation', '> a | b\n> --|--\n> c | d\n', ['a', 'b', 'c', 'd']],
  ])('returns the cells of %s', (_, source, cells) => {
    expect(summary(source)).toEqual(cells.map((cell) => ['cell', cell]));
  });

  it.each([
    [
      'emphasis',
      'a **b** c',
      [
        ['text', 'a '],
        ['text', 'b'],
        ['text', ' c'],
      ],
    ],
    [
      'code',
      'a `b`',
      [
        ['text', 'a '],
        ['code', '`b`'],
      ],
    ],
    [
      'a link',
      '[a](b) c',
      [
        ['link', '[a](b)'],
        ['text', ' c'],
      ],
    ],
    ['an address', '<http://a.b>', [['link', '<http://a.b>']]],
    ['a reference', '[a][b]\n\n[b]: c', [['reference', '[a][b]']]],
    [
      'a footnote',
      'a[^b]\n\n[^b]: ',
      [
        ['text', 'a'],
        ['footnote', '[^b]'],
      ],
    ],
    ['an image', '![a](b)', [['image', '![a](b)']]],
    [
      'an escape',
      'a\\*',
      [
        ['text', 'a'],
        ['escape', '\\*'],
      ],
    ],
    [
      'an entity',
      'a&amp;',
      [
        ['text', 'a'],
        ['entity', '&amp;'],
      ],
    ],
    [
      'lines',
      'a\r\nb',
      [
        ['text', 'a'],
        ['line-end', '\r\n'],
        ['text', 'b'],
      ],
    ],
    [
      'a line break',
      'a  \nb',
      [
        ['text', 'a'],
        ['break', '\n'],
        ['text', 'b'],
      ],
    ],
    [
      'an unmatched bracket before a link',
      '[[a](b)',
      [
        ['text', '['],
        ['link', '[a](b)'],
      ],
    ],
  ])('returns the parts of %s', (_, source, expected) => {
    expect(parts(source)).toEqual(expected);
  });

  it.each([
    ['code', '```\na\n```\n\n    b\n'],
    ['HTML', '<div>\na\n</div>\n'],
    ['a definition', '[a]: b "c"\n'],
    ['a rule', '***\n'],
  ])('skips %s', (_, source) => {
    expect(readMarkdown(source)).toEqual([]);
  });

  it.each(['* ', '> ', '- - ', '[', '![', '*a_', '`', '[^a]: ', '|a|\n|-|\n', '&', '<a '])(
    'reads 30,000 characters of %j in linear time',
    (sign) => {
      const started = process.cpuUsage();
      readMarkdown(sign.repeat(30_000 / sign.length));
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
    },
  );

  it('skips a block with more than 5,000 signs', () => {
    expect(summary(`${'a*'.repeat(5_001)}\n\nb`)).toEqual([['paragraph', 'b']]);
  });
});
