import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { markdownLanguage } from '../../packages/dashboard/src/pages/documents/editor/code-mirror.js';
import {
  htmlToCell,
  htmlToMarkdown,
} from '../../packages/dashboard/src/pages/documents/editor/paste/html-to-markdown.js';
import {
  insertionAfter,
  insertionAt,
  isInCode,
  type MarkdownPiece,
} from '../../packages/dashboard/src/pages/documents/editor/paste/insertion.js';
import { linkSelection } from '../../packages/dashboard/src/pages/documents/editor/paste/link-paste.js';
import { refusalOf } from '../../packages/dashboard/src/pages/documents/editor/paste/files.js';
import { dangersIn } from '../support/markdown-dangers.js';
import { propertyRuns } from '../support/property-runs.js';

const CLIPBOARDS = path.join(__dirname, 'clipboards');
const stored = (file: string) => readFileSync(path.join(CLIPBOARDS, file), 'utf8');
const names = readdirSync(CLIPBOARDS)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace('.md', ''));
const markdownOf = (html: string) => htmlToMarkdown(html).markdown;

describe('HTML from the clipboard', () => {
  it.each(names)(
    'HTML from the clipboard of %s becomes the Markdown that a writer expects',
    (name) => {
      const { markdown, isPlain } = htmlToMarkdown(stored(`${name}.html`));
      expect(markdown).toBe(stored(`${name}.md`).trimEnd());
      expect(isPlain).toBe(false);
    },
  );

  it('HTML from the clipboard is stored for all of them', () => {
    expect(names.length).toBeGreaterThanOrEqual(13);
  });

  it('HTML from the clipboard counts images that no address leads to', () => {
    expect(htmlToMarkdown(stored('word.html')).embeddedImages).toBe(1);
    expect(htmlToMarkdown(stored('google-docs.html')).embeddedImages).toBe(0);
    const html = '<p>a <img src="data:image/png;base64,AAAA" alt="pic"> b <img src="blob:x"></p>';
    expect(htmlToMarkdown(html)).toMatchObject({ markdown: 'a pic b', embeddedImages: 2 });
  });

  it.each([
    ['code of VS Code', stored('vs-code.html')],
    ['one pre', '<meta charset="utf-8"><pre style="x"><span>a</span>\n<b>b</b></pre>'],
    ['a passage in one style', '<span style="color: red; font-weight: 700">some words</span>'],
    ['a heading', '<h2>Some <span>words</span></h2>'],
    ['a single cell', '<table><tr><td>word</td></tr></table>'],
    ['nothing', '<meta charset="utf-8"><!-- x -->'],
  ])('HTML from the clipboard is better pasted as plain text if it is %s', (_, html) => {
    expect(htmlToMarkdown(html).isPlain).toBe(true);
  });

  it.each([
    ['a link', '<a href="https://e.com">e</a>', '[e](https://e.com)'],
    ['two paragraphs', '<p>a</p><p>b</p>', 'a\n\nb'],
    ['two styles', 'a <b>b</b>', 'a **b**'],
    ['a list', '<ul><li>a</li></ul>', '- a'],
    ['line breaks as paragraphs', 'a<br><br>b<br>c', 'a\n\nb\\\nc'],
    ['layout tables as text', '<table role="presentation"><tr><td><p>a</p><td><b>b</b></table>', 'a\n\n**b**'],
    ['nested tables', '<table><tr><td>x<table><tr><td>1<td>2</table><td>y</table>', 'x\n\n| 1 | 2 |\n| --- | --- |\n\ny'],
    ['a list in a list', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['headings without bold', '<h2><b>A</b> <span style="font-weight:700">b</span></h2><p>c', '## A b\n\nc'],
    ['spaces for layout', '<p>a&nbsp; &nbsp;b</p><p>&nbsp;</p><p>1&nbsp;%</p>', 'a b\n\n1\u00a0%'],
    ['headings in one line', '<h2>A<br><br>b</h2><p>c', '## A b\n\nc'],
    ['numbered headings', `<h1 style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span>A</h1><p>b`, '# 1. A\n\nb'],
  ])('HTML from the clipboard keeps %s', (_, html, markdown) => {
    expect(htmlToMarkdown(html)).toMatchObject({ markdown, isPlain: false });
  }); // prettier-ignore

  it.each([
    ['tracking images', 'a<img src="https://t.e/x" width="1" height="1"><b>b</b>', 'a**b**'],
    ['hidden text', 'a <span style="display:none">x</span><span hidden>y</span><b>b</b>', 'a **b**'],
    ['anchors of the other document', '<a href="#_Toc1">a</a> <b>b</b>', 'a **b**'],
    ['scripts and styles', '<script>x</script><style>y</style>a <b>b</b><svg><script>z</script></svg>', 'a **b**'],
    ['links that run code', '<a href=" java\nscript:x">a</a> <b>b</b>', 'a **b**'],
    ['underlines', 'a <u>u</u> <b>b</b>', 'a u **b**'],
  ])('HTML from the clipboard leaves out %s', (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  }); // prettier-ignore

  it('HTML from the clipboard never brings scripts, styles, handlers or links that run code, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (html) => {
        for (const markdown of [markdownOf(html), `| ${htmlToCell(html).markdown} |\n| - |`]) {
          expect({ html, dangers: dangersIn(markdown) }).toEqual({ html, dangers: [] });
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('HTML from the clipboard is found to be dangerous by this test if it is', () => {
    const dangerous = ['<script>x</script>', '[a](javascript:x)', '<b onclick="x">a</b>', '<style>x</style>'];
    for (const markdown of dangerous) expect(dangersIn(markdown)).not.toEqual([]);
  }); // prettier-ignore

  it('HTML from the clipboard becomes one line for a table cell', () => {
    const html = '<p>a | <b>b</b></p><ul><li>c</li></ul><pre>d|e</pre>';
    expect(htmlToCell(html).markdown).toBe('a \\| **b** • c `d\\|e`');
  });
});

const text = fc.constantFrom(
  'a', ' ', '&lt;script&gt;', '<script>alert(1)</script>', 'javascript:alert(1)', '&#x200b;', '](javascript:x)',
  '`', '*', '|', '<!--', '-->', '<![CDATA[', ']]>', '</p>', '<svg onload=x>', '&#10;', '\n\n', '<style>b{}</style>',
  '[x]: javascript:y', '![', '<', '>', '"', '&quot;', '<plaintext>', '<template><script>x</script></template>',
); // prettier-ignore
const address = fc.constantFrom(
  'javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'java\tscript:x', 'java&#10;script:x', '&#106;avascript:x',
  'vbscript:x', 'data:text/html,<script>x</script>', 'data:image/svg+xml,<svg onload=x>', 'https://e.com/a)b"c<d>',
  'https://e.com/](javascript:x)', '//e.com', '\u0001javascript:x', 'https://e.com/|x', 'file:///etc/passwd',
); // prettier-ignore
const other = fc.constantFrom(
  'a', 'b', 'img', 'p', 'div', 'td', 'table', 'tr', 'li', 'ul', 'h1', 'pre', 'code', 'span', 'iframe', 'object',
  'math', 'form', 'input', 'blockquote', 'noscript', 'textarea', 'title', 'header', 'base', 'link', 'meta',
); // prettier-ignore
const element = fc.oneof(fc.constantFrom('a', 'img'), other);
const attribute = fc.oneof(
  address.map((value) => `href="${value}" src="${value}"`),
  address.map((value) => `src="${value}" href='${value}'`),
  address.map((value) => `alt="${value}" src="https://e.com/i.png"`),
  address.map((value) => `class="language-${value}"`),
  fc.constantFrom(
    'onclick=x', 'onerror="alert(1)"', 'style="mso-list:l0 level2 lfo1"', 'style="font-weight:700"', 'role=checkbox',
    'style="background:url(javascript:x)"', 'data-task-state=DONE', 'start="1\n</ol><script>"', 'class=document-title',
  ),
); // prettier-ignore
const hostile: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      text,
      fc
        .tuple(element, fc.array(attribute, { maxLength: 3 }), fc.array(text, { maxLength: 3 }), fc.boolean())
        .map(([name, attributes, inner, isClosed]) =>
          `<${name} ${attributes.join(' ')}>${inner.join('')}${isClosed ? `</${name}>` : ''}`),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join('')); // prettier-ignore

const CARET = '‸';

/** Marks the caret or, with two of them, the selection. */
function stateOf(marked: string): EditorState {
  const anchor = marked.indexOf(CARET);
  const last = marked.lastIndexOf(CARET);
  const doc = marked.replaceAll(CARET, '');
  const head = last > anchor ? last - 1 : anchor;
  return EditorState.create({ doc, selection: { anchor, head }, extensions: [markdownLanguage] });
}

const piece = (html: string): MarkdownPiece => htmlToMarkdown(html);

/** Returns the text after Markdown was inserted, with the caret behind it. */
function inserted(marked: string, markdown: MarkdownPiece): string {
  const state = stateOf(marked);
  const { changes, end } = insertionAt(state, state.selection.main, markdown);
  const after = state.update({ changes }).newDoc.toString();
  return after.slice(0, end) + CARET + after.slice(end);
}

describe('pasted Markdown', () => {
  const line = piece('a <b>b</b>');
  const paragraphs = piece('<p>one</p><p>two</p>');
  const list = piece('<ul><li>x</li><li>y</li></ul>');
  const table = piece('<table><tr><th>A<th>B<tr><td>1<td>2</table>');
  const head = piece('<h2>H</h2><p>t</p>');

  it.each([
    ['in a line', 'say ‸ now', line, 'say a **b**‸ now'],
    ['over a selection', 'say ‸this‸ now', line, 'say a **b**‸ now'],
    ['as paragraphs that join the text on both sides', 'say ‸ now', paragraphs, 'say one\n\ntwo‸ now'],
    ['below a paragraph', 'text‸', list, 'text\n\n- x\n- y‸'],
    ['between paragraphs', 'one\n‸\ntwo', table, 'one\n\n| A | B |\n| --- | --- |\n| 1 | 2 |‸\n\ntwo'],
    ['in the middle of a line', 'one‸two', table, 'one\n\n| A | B |\n| --- | --- |\n| 1 | 2 |‸\n\ntwo'],
    ['in an empty text', '‸', head, '## H\n\nt‸'],
    ['as items instead of an empty one', '- a\n- ‸', list, '- a\n- x\n- y‸'],
    ['as items instead of an empty nested one', '- a\n  - ‸\n- b', list, '- a\n  - x\n  - y‸\n- b'],
    ['as items of an item', '- a‸', list, '- a\n  - x\n  - y‸'],
    ['as paragraphs of an item', '- a ‸', paragraphs, '- a one\n\n  two‸'],
    ['as blocks of a quote', '> a‸', list, '> a\n>\n> - x\n> - y‸'],
    ['as a table of a quote in an item', '- > a‸', table, '- > a\n  >\n  > | A | B |\n  > | --- | --- |\n  > | 1 | 2 |‸'],
    ['in an empty heading', '# ‸', line, '# a **b**‸'],
  ])('pasted Markdown goes %s', (_, marked, markdown, expected) => {
    expect(inserted(marked, markdown)).toBe(expected);
  }); // prettier-ignore

  it('pasted Markdown stays in its table cell, with line breaks and pipes that end no cell', () => {
    const cell = { ...piece('<p>1 | 2</p><p>3</p>'), markdown: '1 | 2\n\n3' };
    expect(inserted('| A | B |\n| --- | --- |\n| x‸ | y |', cell)).toBe(
      '| A | B |\n| --- | --- |\n| x1 \\| 2 3‸ | y |',
    );
  });

  it.each([
    ['a code block', '```\na‸b\n```', true],
    ['an empty code block', '```\n‸\n```', true],
    ['an unfinished code block', '```\na‸', true],
    ['indented code', 'x\n\n    a‸', true],
    ['code in a line', 'a `b‸c` d', true],
    ['HTML', '<div>\na‸\n</div>', true],
    ['text after code', 'a `bc`‸ d', false],
    ['the line below a code block', '```\na\n```\n‸', false],
    ['text', 'a‸b', false],
    ['an empty text', '‸', false],
  ])('pasted Markdown is plain text in code only: %s', (_, marked, isCode) => {
    const state = stateOf(marked);
    expect(isInCode(state, state.selection.main.head)).toBe(isCode);
  });
});

describe('an address that is pasted over a selection', () => {
  it.each([
    ['see ‸this‸ now', 'https://e.com/a', 'see [this](https://e.com/a) now'],
    ['see ‸ **this** ‸now', ' https://e.com \n', 'see  [**this**](https://e.com) now'],
    ['‸a [1]‸', 'https://e.com/(x)', '[a \\[1\\]](<https://e.com/(x)>)'],
    ['‸mail‸', 'mailto:ada@e.com', '[mail](mailto:ada@e.com)'],
  ])('an address that is pasted over a selection makes %s a link', (marked, pasted, expected) => {
    const state = stateOf(marked);
    const spec = linkSelection(state, pasted);
    expect(state.update(spec ?? {}).newDoc.toString()).toBe(expected);
  });

  it.each([
    ['no selection', 'a‸', 'https://e.com'],
    ['no address', '‸a‸', 'https://e.com and more'],
    ['an address that runs code', '‸a‸', 'javascript:alert(1)'],
    ['a selected address', '‸https://a.com‸', 'https://e.com'],
    ['a part of a link', '[‸a‸](https://a.com)', 'https://e.com'],
    ['several lines', '‸a\nb‸', 'https://e.com'],
  ])(
    'an address that is pasted over a selection replaces the text with %s',
    (_, marked, pasted) => {
      expect(linkSelection(stateOf(marked), pasted)).toBeUndefined();
    },
  );
});

describe('a file in a text', () => {
  const file = { markdown: '# F\n\ntext', first: 'block', last: 'block' } as const;

  it.each([
    ['', 0, '# F\n\ntext'],
    ['one\ntwo', 7, 'one\ntwo\n\n# F\n\ntext'],
    ['one\n\ntwo', 0, '# F\n\ntext\n\none\n\ntwo'],
    ['one\n\ntwo', 3, 'one\n\n# F\n\ntext\n\ntwo'],
    ['- a\n- b\n\ntwo', 7, '- a\n- b\n\n# F\n\ntext\n\ntwo'],
    ['one\n\n\ntwo', 4, 'one\n\n# F\n\ntext\n\ntwo'],
  ])(
    'a file in a text stands apart from the blocks around it: %j at %d',
    (before, at, expected) => {
      const state = EditorState.create({ doc: before, extensions: [markdownLanguage] });
      const { changes } = insertionAfter(state, at, file);
      expect(state.update({ changes }).newDoc.toString()).toBe(expected);
    },
  );

  it('a file in a text is named in the sentence that refuses it', () => {
    expect(refusalOf({ name: 'a.png', type: 'image/png' })).toBe(
      "a.png wasn't added: documents can't contain image files yet.",
    );
    expect(refusalOf({ name: 'a.zip', type: '' })).toContain('a.zip');
  });
});
