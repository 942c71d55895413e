import { schema } from '../../packages/dashboard/src/pages/documents/editor/surface/schema.js';
import {
  countText,
  Finder,
  firstFrom,
  indexOfMatch,
  type FindQuery,
} from '../../packages/dashboard/src/pages/documents/editor/surface/tools/find-matches.js';
import { filterItems } from '../../packages/dashboard/src/pages/documents/editor/surface/tools/insert-filter.js';
import { completeAddress } from '../../packages/dashboard/src/pages/documents/editor/surface/tools/link-address.js';

const { nodes } = schema;

const paragraph = (...texts: string[]) =>
  nodes.paragraph.create(
    null,
    texts.flatMap((text, index) => [
      ...(index > 0 ? [nodes.hard_break.create()] : []),
      schema.text(text),
    ]),
  );
const docOf = (...blocks: ReturnType<typeof paragraph>[]) => nodes.doc.create(null, blocks);

const finderOf = (search: string, options: Partial<FindQuery> = {}) =>
  new Finder({ search, caseSensitive: false, wholeWord: false, regexp: false, ...options });

/** Returns the found texts. */
const found = (
  doc: ReturnType<typeof docOf>,
  search: string,
  options: Partial<FindQuery> = {},
): string[] =>
  finderOf(search, options)
    .matchesIn(doc)
    .map(({ from, to }) => doc.textBetween(from, to, '|', '*'));

describe('finding text in a document', () => {
  const doc = docOf(paragraph('Cat, cat and catalog (1+1).'), paragraph('a', 'cat'), paragraph());

  it('finds text in any case, in every block, also after a line break', () => {
    expect(found(doc, 'cat')).toEqual(['Cat', 'cat', 'cat', 'cat']);
    expect(finderOf('cat').matchesIn(doc).at(-1)).toEqual({ from: 32, to: 35 });
  });

  it('finds in code and raw blocks, list items and table cells', () => {
    const code = nodes.code_block.create(null, schema.text('run(cat)\ncat'));
    const raw = nodes.raw_block.create(null, schema.text('<cat>'));
    const item = nodes.list_item.create(null, paragraph('cat'));
    const cell = nodes.table_cell.create(null, paragraph('cat'));
    const table = nodes.table.create(null, nodes.table_row.create(null, cell));
    const all = docOf(code, raw, nodes.bullet_list.create(null, item), table);
    expect(found(all, 'cat')).toHaveLength(5);
  });

  it('limits matches to the same case and to whole words', () => {
    expect(found(doc, 'cat', { caseSensitive: true })).toEqual(['cat', 'cat', 'cat']);
    expect(found(doc, 'cat', { wholeWord: true })).toEqual(['Cat', 'cat', 'cat']);
    expect(found(docOf(paragraph('naïve na')), 'na', { wholeWord: true })).toEqual(['na']);
  });

  it('takes signs literally, unless the query is a regular expression', () => {
    expect(found(doc, '(1+1).')).toEqual(['(1+1).']);
    expect(found(doc, 'c.t')).toEqual([]);
    expect(found(doc, 'c.t', { regexp: true })).toHaveLength(4);
    expect(found(doc, '^cat$', { regexp: true })).toEqual(['cat']);
    expect(found(doc, 'x*', { regexp: true })).toEqual([]);
  });

  it('says that an expression is invalid, and finds nothing', () => {
    const finder = finderOf('(', { regexp: true });
    expect(finder.isValid).toBe(false);
    expect(finder.matchesIn(doc)).toEqual([]);
    expect(countText(finder, 0, -1)).toBe('Invalid expression');
    expect(finderOf('a)(b', { regexp: true, wholeWord: true }).isValid).toBe(false);
  });

  it('searches only changed blocks again', () => {
    const finder = finderOf('cat');
    const [first, second] = [doc.child(0), paragraph('one more cat')];
    const before = finder.matchesIn(docOf(first));
    const search = jest.spyOn(String.prototype, 'matchAll');
    try {
      expect(finder.matchesIn(docOf(first, second))).toHaveLength(before.length + 1);
      expect(search).toHaveBeenCalledTimes(1);
    } finally {
      search.mockRestore();
    }
  });

  it('fills groups of a regular expression into the replacement, and leaves other queries literal', () => {
    const text = docOf(paragraph('2026-11-27'));
    const finder = finderOf(String.raw`(\d+)-(\d+)`, { regexp: true });
    const [match = { from: 0, to: 0 }] = finder.matchesIn(text);
    expect(finder.replacementOf(text, match, '$2/$1 $& $$ $3')).toBe('11/2026 2026-11 $ $3');
    expect(finderOf('2026').replacementOf(text, match, '$1')).toBe('$1');
  });

  it('counts, and says which match is selected', () => {
    const finder = finderOf('cat');
    const matches = finder.matchesIn(doc);
    expect(indexOfMatch(matches, { from: 6, to: 9 })).toBe(1);
    expect(indexOfMatch(matches, { from: 6, to: 8 })).toBe(-1);
    expect(firstFrom(matches, 7)).toBe(2);
    expect(firstFrom(matches, 1_000)).toBe(matches.length);
    expect(countText(finder, 5, 0)).toBe('1 of 5');
    expect(countText(finder, 5, -1)).toBe('5 found');
    expect(countText(finder, 0, -1)).toBe('No results');
    expect(countText(finder, 1_000, 999)).toBe('1,000 of 1,000');
    expect(countText(finder, 1_001, 1_000)).toBe('1,001 of 1,000+');
    expect(countText(finderOf(''), 0, -1)).toBe('');
  });
});

describe('filtering the insert menu', () => {
  const items = [
    { name: 'Heading 1', keywords: 'h1 title' },
    { name: 'Checklist', keywords: 'todo tasks' },
    { name: 'Code', keywords: 'block snippet' },
    { name: 'Bulleted list', keywords: 'ul' },
  ];
  const names = (query: string) => filterItems(items, query).map(({ name }) => name);

  it('shows everything before a letter is typed', () => {
    expect(names('')).toHaveLength(items.length);
  });

  it('prefers names that start with the query to other words and to parts of words', () => {
    expect(names('c')).toEqual(['Checklist', 'Code']);
    expect(names('LIST')).toEqual(['Bulleted list', 'Checklist']);
    expect(names('t')).toEqual(['Heading 1', 'Checklist', 'Bulleted list']);
    expect(names('heading1')).toEqual(['Heading 1']);
  });

  it('shows nothing for other words, so that a typed path stays text', () => {
    expect(names('usr/bin')).toEqual([]);
    expect(names(' ')).toEqual([]);
  });
});

describe('completing an address', () => {
  it.each([
    ['example.com/a', 'https://example.com/a'],
    [' example.com ', 'https://example.com'],
    ['localhost:3000/a', 'https://localhost:3000/a'],
    ['ada@example.com', 'mailto:ada@example.com'],
    ['http://example.com', 'http://example.com'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
    ['tel:+1234', 'tel:+1234'],
    ['attachment:att_1', 'attachment:att_1'],
    ['#plan', '#plan'],
    ['/docs', '/docs'],
    ['../docs', '../docs'],
  ])('%s becomes %s', (entered, address) => {
    expect(completeAddress(entered)).toBe(address);
  });

  it.each([
    '',
    '  ',
    'two words',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'FILE:///etc',
  ])('"%s" is refused', (entered) => {
    expect(completeAddress(entered)).toBeUndefined();
  });
});
