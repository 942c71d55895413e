import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { Slice, type Fragment } from 'prosemirror-model';
import { EditorState, Selection, TextSelection } from 'prosemirror-state';
import { htmlToMarkdown } from '../../packages/dashboard/src/pages/documents/editor/paste/html-to-markdown.js';
import {
  boundaryAt,
  insertBlocks,
  insertSlice,
  isBlank,
  isInCode,
  sliceOf,
} from '../../packages/dashboard/src/pages/documents/editor/paste/insertion.js';
import { linkSelection } from '../../packages/dashboard/src/pages/documents/editor/paste/link-paste.js';
import { refusalOf } from '../../packages/dashboard/src/pages/documents/editor/paste/files.js';
import {
  markdownIn,
  plainBlocks,
} from '../../packages/dashboard/src/pages/documents/editor/paste/plain-text.js';
import { withWholeTables } from '../../packages/dashboard/src/pages/documents/editor/surface/clipboard.js';
import { schema } from '../../packages/dashboard/src/pages/documents/editor/surface/schema.js';
import {
  readSlice,
  Sources,
} from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
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
        expect({ html, dangers: dangersIn(markdownOf(html)) }).toEqual({ html, dangers: [] });
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('HTML from the clipboard is found to be dangerous by this test if it is', () => {
    const dangerous = ['<script>x</script>', '[a](javascript:x)', '<b onclick="x">a</b>', '<style>x</style>'];
    for (const markdown of dangerous) expect(dangersIn(markdown)).not.toEqual([]);
  }); // prettier-ignore
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

/** Reads Markdown in which a mark is the caret or, with two of them, the selection. */
function stateOf(marked: string): EditorState {
  const { tr } = EditorState.create({ doc: new Sources().read(marked) });
  const places: number[] = [];
  for (;;) {
    let found: number | undefined;
    tr.doc.descendants((node, position) => {
      const index = node.isText && found === undefined ? (node.text ?? '').indexOf(CARET) : -1;
      if (index !== -1) found = position + index;
      return found === undefined;
    });
    if (found === undefined) break;
    places.push(found);
    tr.delete(found, found + 1);
  }
  const [anchor = 0, head = anchor] = places;
  const selection = TextSelection.create(tr.doc, anchor, head);
  return EditorState.create({ doc: tr.doc, selection });
}

const markdownOfDoc = (doc: EditorState['doc']) => new Sources().write(doc);
const blocksOf = (markdown: string) => readSlice(markdown).content;

/** Returns the Markdown after blocks were inserted, with the caret behind them. */
function inserted(marked: string, content: Fragment | Slice): string {
  const { tr, doc, selection } = stateOf(marked);
  const slice = content instanceof Slice ? content : sliceOf(content, doc.resolve(selection.from));
  tr.setSelection(insertSlice(tr, selection, slice));
  tr.doc.check();
  return markdownOfDoc(
    tr.insert(tr.selection.head, schema.text(CARET, tr.selection.$head.marks())).doc,
  );
}

/** Returns the Markdown after text without HTML was inserted, with the caret behind it. */
function pasted(marked: string, text: string): string {
  const { doc, selection } = stateOf(marked);
  const isInline = !isBlank(doc, selection);
  const marks = doc.resolve(selection.from).marks();
  return inserted(marked, markdownIn(text, blocksOf, { isInline }) ?? plainBlocks(text, marks));
}

describe('pasted Markdown', () => {
  const line = blocksOf('a **b**');
  const paragraphs = blocksOf('one\n\ntwo');
  const list = blocksOf('- x\n- y');
  const table = blocksOf('| A | B |\n| --- | --- |\n| 1 | 2 |');
  const head = blocksOf('## H\n\nt');

  it.each([
    ['in a line', 'say ‸ now', line, 'say a **b‸** now'],
    ['over a selection', 'say ‸this‸ now', line, 'say a **b‸** now'],
    ['as paragraphs that join the text on both sides', 'say ‸ now', paragraphs, 'say one\n\ntwo‸ now'],
    ['below a paragraph', 'text‸', list, 'text\n\n- x\n- y‸'],
    ['between paragraphs', 'one\n\n‸\n\ntwo', table, 'one\n\n| A | B |\n| --- | --- |\n| 1 | 2‸ |\n\ntwo'],
    ['in the middle of a line', 'one‸two', table, 'one\n\n| A | B |\n| --- | --- |\n| 1 | 2‸ |\n\ntwo'],
    ['at the start of a line', '‸two', table, '| A | B |\n| --- | --- |\n| 1 | 2‸ |\n\ntwo'],
    ['in an empty text', '‸', head, '## H\n\nt‸'],
    ['as items instead of an empty one', '- a\n- ‸', list, '- a\n- x\n- y‸'],
    ['as items instead of an empty nested one', '- a\n  - ‸\n- b', list, '- a\n  - x\n  - y‸\n- b'],
    ['as items of an item', '- a‸\n- b', list, '- a\n  - x\n  - y‸\n- b'],
    ['between the words of an item', '- a‸b', list, '- a\n  - x\n  - y‸\n\n  b'],
    ['as paragraphs of an item', '- a ‸', paragraphs, '- a one\n\n  two‸'],
    ['as blocks of a quote', '> a‸', list, '> a\n>\n> - x\n> - y‸'],
    ['as a table of a quote in an item', '- > a‸', table, '- > a\n  >\n  > | A | B |\n  > | --- | --- |\n  > | 1 | 2‸ |'],
    ['in an empty heading', '# ‸', line, '# a **b‸**'],
    ['in a heading, which has no line breaks', '# a ‸', blocksOf('b\\\nc'), '# a b c‸'],
    ['over several blocks', '# a‸b\n\n- c\n- d‸e', paragraphs, '# aone\n\ntwo‸e'],
    ['as words from right to left', 'אבג ‸ דהו', blocksOf('שלום **עולם**'), 'אבג שלום **עולם‸** דהו'],
  ])('pasted Markdown goes %s', (_, marked, markdown, expected) => {
    expect(inserted(marked, markdown)).toBe(expected);
  }); // prettier-ignore

  it.each([
    ['paragraphs with pipes', '1 | 2\n\n3', '1 \\| 2<br>3‸'],
    ['lists', '- a\n- **b**\n\n7. c\n8. d', '• a<br>• **b**<br>7. c<br>8. d‸'],
    ['code', '```js\nif (a) {\n  b();\n}\n```', '`if (a) {`<br>`  b();`<br>`}‸`'],
    ['tables', '| A | B |\n| --- | --- |\n| 1 | 2 |', 'A \\| B<br>1 \\| 2‸'],
    ['headings and quotes', '# a\n\n> b\n>\n> c', 'a<br>b<br>c‸'],
  ])('pasted Markdown stays one line in a table cell: %s', (_, markdown, cell) => {
    expect(inserted('| A | B |\n| --- | --- |\n| ‸ | y |', blocksOf(markdown))).toBe(
      `| A | B |\n| --- | --- |\n| ${cell} | y |`,
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
    ['text before code', 'a ‸`bc` d', false],
    ['text', 'a‸b', false],
    ['an empty text', '‸', false],
  ])('pasted Markdown is plain text in code only: %s', (_, marked, isCode) => {
    const { selection } = stateOf(marked);
    expect(isInCode(selection.$from)).toBe(isCode);
  });

  it('pasted Markdown may be any part of another document, at any place', () => {
    const document = fc.constantFrom(
      '# One\n\ntext **bold** [link](https://e.com)\n\n- a\n- b\n  1. c\n  2. d\n\n> quote\n>\n> - e',
      '| A | B |\n| --- | --- |\n| 1 | 2 |\n\n```js\ncode\n```\n\n- [ ] f\n- [x] g\n\n---\n\n![i](https://e.com/i.png)',
    );
    const places = fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 200 }));
    const textAt = (doc: EditorState['doc'], at: number) =>
      (Selection.findFrom(doc.resolve(at % doc.content.size), 1, true) ?? Selection.atStart(doc))
        .$from;
    const textRange = (doc: EditorState['doc'], [a, b]: readonly [number, number]) => {
      const [one, other] = [textAt(doc, a), textAt(doc, b)];
      return one.pos < other.pos ? { from: one, to: other } : { from: other, to: one };
    };
    fc.assert(
      fc.property(document, document, places, places, (source, target, copied, replaced) => {
        const { from: start, to: end } = textRange(new Sources().read(source), copied);
        const slice = withWholeTables(start.node(0).slice(start.pos, end.pos, true));
        const { tr } = EditorState.create({ doc: new Sources().read(target) });
        const { from, to } = textRange(tr.doc, replaced);
        tr.setSelection(insertSlice(tr, { from: from.pos, to: to.pos }, slice));
        tr.doc.check();
        expect(tr.selection.$from.parent.isTextblock).toBe(true);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});

describe('text that is pasted without HTML', () => {
  it.each([
    ['headings', '## Notes\ntext'],
    ['one heading', '# Notes'],
    ['a heading between blank lines', 'a\n\n# Notes\n\nb'],
    ['fenced code', 'run\n\n```sh\nnpm test\n```'],
    ['tables', '| A | B |\n| :-- | --- |\n| 1 | 2 |'],
    ['checklists', '- [ ] open\n- [x] done'],
    ['links', 'see [the page](https://e.com/a_(b)) now'],
    ['images', '![plan](https://e.com/plan.png)'],
    ['bold words', 'this is **so** good'],
    ['lists', '- a\n- b\n  - c'],
    ['numbered lists', '3. a\n4. b'],
    ['quotes', '> said she'],
    ['code in a line', 'run `npm test` now'],
    ['emphasized words', 'this is *so* good, ~~not~~'],
    ['wrapped lines of Markdown', '## Notes\n\nA line of text\nthat is wrapped'],
  ])('text that is pasted without HTML is Markdown if it has %s', (_, text) => {
    const { doc } = EditorState.create({ schema });
    const blocks = markdownIn(text, blocksOf, { isInline: false });
    expect(blocks && doc.copy(blocks).eq(doc.copy(blocksOf(text)))).toBe(true);
  });

  it.each([
    ['lines of an address', 'Ada Lovelace\n12 St James Square\nLondon', 'Ada Lovelace\\\n12 St James Square\\\nLondon‸'],
    ['paragraphs', '\n\none\n\n\ntwo\n  three \n', 'one\n\ntwo\\\nthree‸'],
    ['formulas', '2*3*4 and a*b*c', '2\\*3\\*4 and a\\*b\\*c‸'],
    ['a list with formulas', '- 2*3*4\n- x', '\\- 2\\*3\\*4\\\n\\- x‸'],
    ['numbers that do not count up', '1. a\n3. b', '1\\. a\\\n3\\. b‸'],
    ['paths and expressions', 'C:\\*.txt and ^\\[a-z]\\.$', 'C:\\\\\\*.txt and ^\\\\\\[a-z\\]\\\\.$‸'],
    ['names in programs', '__init__ and **kwargs', '\\_\\_init\\_\\_ and \\*\\*kwargs‸'],
    ['entities', 'a &copy; b', 'a \\&copy; b‸'],
    ['comments of a script', '# install\nnpm install', '\\# install\\\nnpm install‸'],
    ['elements of HTML', 'the <b> tag', 'the \\<b> tag‸'],
    ['lines under text', 'Total\n---\n5', 'Total\\\n---\\\n5‸'],
    ['calls in programs', 'handlers[name](event)', 'handlers\\[name\\](event)‸'],
    ['text from right to left', 'שלום עולם\nשורה שנייה', 'שלום עולם\\\nשורה שנייה‸'],
  ])('text that is pasted without HTML keeps its characters and lines: %s', (_, text, markdown) => {
    const words = (value: string) => value.replaceAll(/\s+/g, ' ').trim();
    const { doc } = stateOf(pasted('‸', text).replace(CARET, ''));
    expect(words(doc.textBetween(0, doc.content.size, '\n', '\n'))).toBe(words(text));
    expect(pasted('‸', text)).toBe(markdown);
  }); // prettier-ignore

  it.each([
    ['joins the words around it', 'say ‸ now', ' this ', 'say  this ‸ now'],
    ['starts no list within other text', 'say ‸', '- this', 'say - this‸'],
    ['starts no heading within other text', 'say ‸', '# this', 'say # this‸'],
    ['has the style of the text around it', 'so **much‸ text**', ' more', 'so **much more‸ text**'],
    ['shows addresses as links', '‸', 'see https://e.com/ab.\nor https://e.com', 'see https://e.com/ab.\\\nor https://e.com‸'],
  ])('text that is pasted without HTML %s', (_, marked, text, expected) => {
    expect(pasted(marked, text)).toBe(expected);
  }); // prettier-ignore

  it('text that is pasted without HTML keeps all characters of ordinary words, whatever they are', () => {
    const word = fc.constantFrom('a', 'x1', '2*3', 'a_b', '_c_', '*', '-', '1.', '#', '>', '|', '\\n', '&lt;', '<i>', '`', '~~', '[x]', '(y)', '==', '+', 'מלה'); // prettier-ignore
    const text = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, (lines) => {
        const value = lines.map((words) => words.join(' ')).join('\n');
        const { doc, tr } = EditorState.create({ schema });
        tr.replaceWith(0, doc.content.size, plainBlocks(value, []));
        const { doc: read } = { doc: new Sources().read(markdownOfDoc(tr.doc)) };
        expect(read.textBetween(0, read.content.size, '\n\n', '\n')).toBe(value);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});

describe('an address that is pasted over a selection', () => {
  it.each([
    ['see ‸this‸ now', 'https://e.com/a', 'see [this](https://e.com/a) now'],
    ['see‸ **this** ‸now', ' https://e.com \n', 'see [**this**](https://e.com) now'],
    ['‸a [1]‸', 'https://e.com/(x)', '[a [1]](https://e.com/(x))'],
    ['‸mail‸', 'mailto:ada@e.com', '[mail](mailto:ada@e.com)'],
    ['# a ‸b‸', 'https://e.com', '# a [b](https://e.com)'],
  ])('an address that is pasted over a selection makes %s a link', (marked, text, expected) => {
    const tr = linkSelection(stateOf(marked), text);
    expect(tr && markdownOfDoc(tr.doc)).toBe(expected);
  });

  it.each([
    ['no selection', 'a‸', 'https://e.com'],
    ['no address', '‸a‸', 'https://e.com and more'],
    ['an address that runs code', '‸a‸', 'javascript:alert(1)'],
    ['a selected address', '‸https://a.com‸', 'https://e.com'],
    ['a part of a link', '[‸a‸](https://a.com)', 'https://e.com'],
    ['an image', 'a ‸b ![i](https://a.com/i.png)‸', 'https://e.com'],
    ['a code block', '```\n‸a‸\n```', 'https://e.com'],
    ['several blocks', '‸a\n\nb‸', 'https://e.com'],
  ])('an address that is pasted over a selection replaces the text with %s', (_, marked, text) => {
    expect(linkSelection(stateOf(marked), text)).toBeUndefined();
  });
});

describe('a file in a text', () => {
  const file = blocksOf('# F\n\ntext');

  it.each([
    ['‸', '# F\n\ntext'],
    ['one\\\ntwo‸', 'one\\\ntwo\n\n# F\n\ntext'],
    ['on‸e\n\ntwo', 'one\n\n# F\n\ntext\n\ntwo'],
    ['- a\n- ‸b\n\ntwo', '- a\n- b\n\n# F\n\ntext\n\ntwo'],
    ['> - a‸\n\ntwo', '> - a\n\n# F\n\ntext\n\ntwo'],
    ['one\n\n‸\n\ntwo', 'one\n\n# F\n\ntext\n\ntwo'],
  ])('a file in a text stands apart from the blocks around it: %j', (marked, expected) => {
    const { tr, doc, selection } = stateOf(marked);
    const end = insertBlocks(tr, boundaryAt(doc, selection.from), file);
    expect(markdownOfDoc(tr.doc)).toBe(expected);
    expect(tr.doc.resolve(end).nodeBefore?.textContent).toBe('text');
  });

  it('a file in a text is named in the sentence that refuses it', () => {
    expect(refusalOf({ name: 'a.png', type: 'image/png' })).toBe(
      "a.png wasn't added: documents can't contain image files yet.",
    );
    expect(refusalOf({ name: 'a.zip', type: '' })).toContain('a.zip');
  });
});
