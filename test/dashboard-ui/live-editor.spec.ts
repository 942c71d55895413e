import { ensureSyntaxTree } from '@codemirror/language';
import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { markdownLanguage } from '../../packages/dashboard/src/pages/documents/editor/code-mirror.js';
import { safeAddress } from '../../packages/dashboard/src/pages/documents/editor/live/addresses.js';
import { nextItem } from '../../packages/dashboard/src/pages/documents/editor/continue-list.js';
import { directionOf } from '../../packages/dashboard/src/pages/documents/editor/live/direction.js';
import { countMatches } from '../../packages/dashboard/src/pages/documents/editor/live/find-panel.js';
import {
  indentItems,
  makeLink,
  toggleInline,
  toggleLines,
} from '../../packages/dashboard/src/pages/documents/editor/live/format.js';
import { liveDecorations } from '../../packages/dashboard/src/pages/documents/editor/live/live-view.js';
import {
  cellAt,
  tableAt,
} from '../../packages/dashboard/src/pages/documents/editor/live/table-model.js';
import { cellText } from '../../packages/dashboard/src/pages/documents/editor/live/tables.js';
import { SearchQuery } from '@codemirror/search';

/** Marks the caret in a text, and with two of them the selection. */
const CARET = '‸';

function stateOf(marked: string): EditorState {
  const doc = marked.replaceAll(CARET, '');
  const anchor = Math.max(0, marked.indexOf(CARET));
  const last = marked.lastIndexOf(CARET);
  const head = last > anchor ? last - 1 : anchor;
  const state = EditorState.create({
    doc,
    selection: EditorSelection.single(anchor, head),
    extensions: [markdownLanguage],
  });
  ensureSyntaxTree(state, doc.length, 10_000);
  return state;
}

function decorationsOf(marked: string) {
  const state = stateOf(marked);
  const selected = marked.includes(CARET) ? state.selection.ranges : [];
  const visible = [{ from: 0, to: state.doc.length }];
  return { state, ...liveDecorations({ state, visible, selected }) };
}

/** What a reader sees: hidden ranges are left out, and widgets are written as `{name}`. */
function shown(marked: string): string {
  const { state, inner } = decorationsOf(marked);
  let text = '';
  let at = 0;
  inner.between(0, state.doc.length, (from, to, { spec }) => {
    if (spec.class !== undefined || spec.attributes !== undefined || from < at) return;
    text += state.sliceDoc(at, from);
    const { widget } = spec as { widget?: { text?: string; isDone?: boolean; character?: string } };
    if (widget) text += `{${widget.text ?? widget.character ?? nameOf(widget.isDone)}}`;
    at = to;
  });
  return text + state.sliceDoc(at);
}

function nameOf(isDone: boolean | undefined): string {
  return isDone === undefined ? 'rule' : isDone ? 'done' : 'open';
}

/** Classes of lines and marks by the text that they are on. */
function classesOf(marked: string): string[] {
  const { state, inner, outer } = decorationsOf(marked);
  const found: string[] = [];
  for (const set of [inner, outer]) {
    set.between(0, state.doc.length, (from, to, { spec }) => {
      if (!spec.class) return;
      const text = from === to ? state.doc.lineAt(from).text : state.sliceDoc(from, to);
      found.push(`${String(spec.class)}: ${text}`);
    });
  }
  return found;
}

function linksOf(markdown: string): (string | undefined)[] {
  const { state, outer } = decorationsOf(markdown);
  const found: (string | undefined)[] = [];
  outer.between(0, state.doc.length, (_from, _to, { spec }) => {
    const { class: name, attributes } = spec as { class: string; attributes?: { href: string } };
    if (name === 'cm-link') found.push(attributes?.href);
  });
  return found;
}

describe('the finished text of the editor', () => {
  it.each([
    ['**bold** *it* ~~gone~~ `code` __b__ _i_', 'bold it gone code b i'],
    ['# One #\n\n###### Six', 'One\n\nSix'],
    ['Setext\n======\n', 'Setext\n\n'],
    ['> quote\n> > deeper\n>\n> end', 'quote\ndeeper\n\nend'],
    ['- [ ] open\n- [x] done', '{open} open\n{done} done'],
    [
      '[a *b*](https://example.com "t") [r][x]\n\n[x]: https://example.com/x',
      'a b r\n\n[x]: https://example.com/x',
    ],
    ['<https://example.com> and www.example.com', 'https://example.com and www.example.com'],
    ['[so] it is', '[so] it is'],
    [String.raw`\*not\* &amp; &#65; &unknown;`, '*not* {&} {A} &unknown;'],
    ['a\\\nb', 'a\nb'],
    ['***', '{rule}'],
    ['```js\n**code**\n```', '```js\n**code**\n```'],
    ['a <b onclick=x>b</b>', 'a <b onclick=x>b</b>'],
    ['<script>\nalert(1)\n</script>', '<script>\nalert(1)\n</script>'],
    ['- a\n  - b\n    c', '- a\n- b\nc'],
    ['| a | b |\n|---|---|\n|  | ~~2~~ |', 'ab\n\n2'],
    ['a **b\nc** d', 'a b\nc d'],
    ['[a\nb](https://example.com\n"t")', 'a\nb\n'],
  ])('the finished text of the editor hides the Markdown of %j', (markdown, expected) => {
    expect(shown(markdown)).toBe(expected);
  });

  it.each([
    ['a **b‸o** *i*', 'a **bo** i'],
    ['a **bo**‸ *i*', 'a **bo** i'],
    ['a ‸ **bo** *i*', 'a  bo i'],
    ['‸a **bo** *i‸*', 'a **bo** *i*'],
    ['# On‸e\n\n# Two', '# One\n\nTwo'],
    ['Set‸ext\n======', 'Setext\n======'],
    ['> q‸\n> r', '> q\nr'],
    ['[a‸](https://example.com)', '[a](https://example.com)'],
    ['![a‸](https://example.com/x.png)', '![a](https://example.com/x.png)'],
    ['- [ ]‸ open', '- [ ] open'],
    ['**‸', '**'],
  ])(
    'the finished text of the editor shows the Markdown of %j where the selection touches it',
    (markdown, expected) => {
      expect(shown(markdown)).toBe(expected);
    },
  );

  it('the finished text of the editor names a checkbox by the words of its task', () => {
    const { state, inner } = decorationsOf(
      '- [ ] **Buy** [milk](https://example.com) <b>\n  today',
    );
    const names: unknown[] = [];
    inner.between(0, state.doc.length, (_from, _to, { spec }) => {
      const { widget } = spec as { widget?: { label: string } };
      if (widget) names.push(widget.label);
    });
    expect(names).toEqual(['Buy milk']);
  });

  it('the finished text of the editor has looks for headings, lists, quotes, code and HTML', () => {
    const text = '# T\n\n- a\n  - b\n\n> q\n\n```js\nx\n```\n\n<p>\n\n`c`';
    expect(classesOf(text)).toEqual([
      'cm-heading cm-h1: # T',
      'cm-li cm-li-1 cm-li-first: - a',
      'cm-bullet: - ',
      'cm-li cm-li-1:   - b',
      'cm-li cm-li-2 cm-li-first:   - b',
      'cm-bullet: - ',
      'cm-quote cm-quote-1: > q',
      'cm-code-line cm-code-first: ```js',
      'cm-fence: ```js',
      'cm-code-line: x',
      'cm-code-line cm-code-last: ```',
      'cm-fence: ```',
      'cm-html-line: <p>',
      'cm-inline-code: `c`',
    ]);
  });

  it('the finished text of the editor decorates nothing outside of the lines on the screen', () => {
    const state = stateOf('**a**\n\n**b**\n\n**c**');
    const { inner } = liveDecorations({ state, visible: [{ from: 7, to: 9 }], selected: [] });
    const places: number[] = [];
    inner.between(0, state.doc.length, (from, _to, { spec }) => {
      if (spec.class === undefined) places.push(from);
    });
    expect(places).toEqual([7, 10]);
  });

  it('the finished text of the editor shows a line of 20,001 characters as it is written', () => {
    const long = `**b** ${'x'.repeat(19_995)}`;
    expect(shown(long.slice(0, 20_000))).not.toContain('**');
    expect(shown(long)).toBe(long);
  });

  it('the finished text of the editor survives quotes in quotes that nobody reads', () => {
    expect(shown(`${'> '.repeat(3_000)}deep`)).toContain('deep');
  });
});

describe('links and images in the editor', () => {
  it.each([
    ['[a](https://example.com/b "t")', 'https://example.com/b'],
    ['[a][ref]\n\n[ref]: https://example.com/c', 'https://example.com/c'],
    ['<https://example.com/d>', 'https://example.com/d'],
    ['www.example.com', 'http://www.example.com/'],
    ['<ada@example.com>', 'mailto:ada@example.com'],
  ])('%s leads to the web', (text, href) => {
    expect(linksOf(text)).toEqual([href]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/v1/keys',
    '//evil.example',
    'file:///etc',
  ])('nothing leads to %s', (address) => {
    expect(safeAddress(address)).toBeUndefined();
    expect(linksOf(`[a](${address})`)).toEqual([undefined]);
  });

  it('links and images in the editor are chips that name the host', () => {
    expect(
      shown('![a](https://example.com/e.png) ![b](//cdn.example/x.png) ![c](d.png) ![](d.png)'),
    ).toBe('{Image on example.com} {Image on cdn.example} {Image: c} {Image: d.png}');
  });
});

it.each([
  ['# שלום world', 'rtl'],
  ['- مرحبا', 'rtl'],
  ['**Hello** שלום', 'ltr'],
  ['12 %', undefined],
  ['\u{1e900}', 'rtl'],
])('the direction of a line of %j is %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});

describe('a table in the editor', () => {
  const cells = (markdown: string) => {
    const state = stateOf(markdown);
    return tableAt(state, 0)?.rows.map((row) =>
      row.cells.map(({ text }) => state.sliceDoc(text.from, text.to)),
    );
  };

  it.each([
    [
      '| a | b |\n|---|---|\n| 1 | 2 |',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a | b\n--|--\n1 | 2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '| a | b\n|---|---\n| 1 | 2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a | b |\n--|--|\n1 | 2 |',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      ' | a | b | \n|---|---|\n|| 2 |',
      [
        ['a', 'b'],
        ['', '2'],
      ],
    ],
    ['| a |\n|---|\n| x \\| y |', [['a'], ['x \\| y']]],
    ['| a | b |\n|---|---|\n| 1 |', [['a', 'b'], ['1']]],
  ])('a table in the editor has the cells of %j', (markdown, expected) => {
    expect(cells(markdown)).toEqual(expected);
  });

  it('a table in the editor is shown as it is written with more than 100 rows, in a long line, or in a list', () => {
    const table = (rows: number, cell = '1') => `| a |\n|---|${`\n| ${cell} |`.repeat(rows)}`;
    expect(cells(table(100))).toHaveLength(101);
    expect(cells(table(101))).toBeUndefined();
    expect(cells(table(1, 'x'.repeat(1_996)))).toHaveLength(2);
    expect(cells(table(1, 'x'.repeat(1_997)))).toBeUndefined();
    const list = '- | a |\n  |---|\n  | 1 |';
    expect(shown(list)).toContain('|---|');
  });

  it('a table in the editor finds the cell at a position', () => {
    const state = stateOf('| a | b |\n|---|---|\n| 1 | ‸2 |');
    expect(cellAt(state, state.selection.main.head)).toMatchObject({ row: 1, column: 1 });
    expect(cellAt(state, 12)).toBeUndefined();
  });

  it('a table in the editor shows a space that was just typed at the end of a cell', () => {
    expect(shown('| a |\n|---|\n| 1 ‸   |')).toBe('a\n\n1 ');
  });

  it('a table in the editor takes pasted lines and pipes as text of one cell', () => {
    expect(cellText('a\r\n b | c \\| d')).toBe(String.raw`a b \| c \| d`);
  });
});

describe('a key or a button of the editor', () => {
  const after = (marked: string, change: (state: EditorState) => TransactionSpec | undefined) => {
    const state = stateOf(marked);
    const spec = change(state);
    if (!spec) return undefined;
    const { newDoc, newSelection } = state.update(spec);
    const { from, to } = newSelection.main;
    const text = newDoc.toString();
    return from === to
      ? `${text.slice(0, from)}${CARET}${text.slice(from)}`
      : `${text.slice(0, from)}${CARET}${text.slice(from, to)}${CARET}${text.slice(to)}`;
  };

  it.each([
    ['a ‸word‸ b', 'a **‸word‸** b'],
    ['a **‸word‸** b', 'a ‸word‸ b'],
    ['a ‸**word**‸ b', 'a ‸word‸ b'],
    ['a wo‸rd b', 'a **wo‸rd** b'],
    ['a **wo‸rd** b', 'a wo‸rd b'],
    ['a ‸ b', 'a **‸** b'],
    ['a **‸** b', 'a ‸ b'],
    ['‸a **b** c‸', '**‸a b c‸**'],
    ['**a ‸b‸ c**', '**a** ‸b‸ **c**'],
    ['a ‸ word ‸b', 'a ‸ **word** ‸b'],
    ['- ‸one\n- two‸', '- **‸one**\n- **two‸**'],
    ['`a ‸b‸ c`', '**`a ‸b‸ c`**'],
    ['‸a [b‸ c](https://example.com)', '**‸a [b‸ c](https://example.com)**'],
    ['[‸b‸ c](https://example.com)', '[**‸b‸** c](https://example.com)'],
  ])('a key or a button of the editor makes %j strong, or no longer', (marked, expected) => {
    expect(after(marked, (state) => toggleInline(state, 'StrongEmphasis'))).toBe(expected);
  });

  it('a key or a button of the editor marks code that has backticks with more of them', () => {
    expect(after('‸a`b‸', (state) => toggleInline(state, 'InlineCode'))).toBe('``‸a`b‸``');
  });

  it.each([
    ['‸text‸', '[text](‸)'],
    ['‸https://example.com‸', '[‸](https://example.com)'],
    ['[a‸](https://example.com)', '[a](‸https://example.com‸)'],
    ['no ‸ selection', undefined],
  ])('a key or a button of the editor makes %j a link', (marked, expected) => {
    expect(after(marked, makeLink)).toBe(expected);
  });

  it.each([
    ['bullet' as const, '‸a\n\nb‸', '- ‸a\n\n- b‸'],
    ['bullet' as const, '- ‸a\n- b‸', '‸a\nb‸'],
    ['number' as const, '- ‸a\n- b‸', '1. ‸a\n2. b‸'],
    ['task' as const, '‸a', '- [ ] ‸a'],
    ['bullet' as const, '- [x] ‸a', '- ‸a'],
    ['bullet' as const, '> ‸a', '> - ‸a'],
    ['quote' as const, '‸a\nb‸', '> ‸a\n> b‸'],
    ['quote' as const, '> ‸a', '‸a'],
    [2 as const, '‸a', '## ‸a'],
    [2 as const, '# ‸a', '## ‸a'],
    [2 as const, '## ‸a', '‸a'],
    [1 as const, '- ‸a', '# ‸a'],
    [3 as const, '‸a\n===\n\nb', '### ‸a\n\nb'],
    ['paragraph' as const, '## ‸a', '‸a'],
  ])('a key or a button of the editor makes lines %s: %j', (kind, marked, expected) => {
    expect(after(marked, (state) => toggleLines(state, kind))).toBe(expected);
  });

  it.each([
    ['in' as const, '- a\n- ‸b\n  c\n- d', '- a\n  - ‸b\n    c\n- d'],
    ['in' as const, '1. a\n2. ‸b', '1. a\n   2. ‸b'],
    ['in' as const, '- ‸a', '- ‸a'],
    ['in' as const, '> - a\n> - ‸b', '> - a\n>   - ‸b'],
    ['out' as const, '- a\n  - ‸b\n    - c', '- a\n- ‸b\n  - c'],
    ['out' as const, '- ‸a', '- ‸a'],
    ['in' as const, 'no ‸list', undefined],
  ])('a key or a button of the editor moves items %s: %j', (direction, marked, expected) => {
    expect(after(marked, (state) => indentItems(state, direction))).toBe(expected);
  });

  it.each([
    ['- a‸', '- a\n- ‸'],
    ['1. a‸', '1. a\n2. ‸'],
    ['- [x] a‸b', '- [x] a\n- [ ] ‸b'],
    ['- a\n  - ‸', '- a\n- ‸'],
    ['1. a\n   - b\n   - ‸', '1. a\n   - b\n- ‸'],
    ['- a\n- ‸', '- a\n‸'],
    ['no ‸list', undefined],
  ])('a key or a button of the editor continues with Enter in %j', (marked, expected) => {
    expect(after(marked, nextItem)).toBe(expected);
  });
});

it('a search in the text counts its matches, up to a thousand, and says which one is selected', () => {
  const view = { state: stateOf('a ‸a‸ A') };
  const query = (search: string, more = {}) => new SearchQuery({ search, ...more });
  expect(countMatches(view, query('a'))).toEqual({ count: 3, current: 2 });
  expect(countMatches(view, query('a', { caseSensitive: true }))).toEqual({
    count: 2,
    current: 2,
  });
  expect(countMatches(view, query('(', { regexp: true }))).toEqual({ count: 0, current: 0 });
  expect(countMatches({ state: stateOf('b '.repeat(1_200)) }, query('b')).count).toBe(1_001);
});
