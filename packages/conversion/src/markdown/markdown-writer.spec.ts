import fc from 'fast-check';
import { readHtml } from '../html/html-reader.js';
import { writeBlocks } from '../html/html-writer.js';
import type { Block } from '../rich-text/rich-text.js';
import { normalizeLink, readMarkdown } from './markdown-reader.js';
import { writeMarkdown } from './markdown-writer.js';
import { settleSpaces } from './settle-spaces.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const fromHtml = (html: string): Block[] => readHtml(html, { embeddedImages: 'keep' }).text.blocks;

const rewritten = (html: string): string => writeMarkdown({ blocks: fromHtml(html) });

/**
 * Applies the changes that writing makes: spaces are bold only between bold words, and addresses are percent-encoded.
 */
function settled(blocks: readonly Block[]): Block[] {
  return JSON.parse(
    JSON.stringify(blocks, (key, value: unknown) =>
      key === 'inlines'
        ? settleSpaces(value as never)
        : ['link', 'source'].includes(key)
          ? normalizeLink(value as string)
          : value,
    ),
  ) as Block[];
}

const marks = fc.constantFrom('b', 'i', 'del', 'u', 'code', 'sub', 'sup', 'span');
const snippet = fc.oneof(
  fc.constantFrom(
    '*', '**', '_', '`', '``', '~~', '[', ']', '](x)', '![', '>', '&amp;', '&', '#', '# ', '- ', '+', '1. ', '1)', '> ', '|', '\\', '===', '---', ':--', ' ', '  ', '\u00a0', '​', 'a', 'b c', '"', "'", '(', ')', 'ä', '漢字', 'שלום', '😀', '[x] ', '[ ] ', '&lt;b&gt;', '&lt;script&gt;', '!', '$', '=', '<br>', '&amp;amp;', '&amp;#42;',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[<&]|:\/\//g, '')),
); // prettier-ignore
const inline = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    snippet,
    fc.array(snippet, { maxLength: 5 }).map((parts) => parts.join('')),
    fc
      .tuple(marks, fc.array(tie('inline'), { maxLength: 3 }))
      .map(([mark, parts]) => `<${mark}>${parts.join('')}</${mark}>`),
    fc
      .tuple(
        fc.constantFrom('https://example.com', '/a (b)', '#c', 'https://e.com/ä?a=b&amp;c'),
        tie('inline'),
      )
      .map(([address, text]) => `<a href="${address}">${text}</a>`),
    fc.constantFrom('<img src="/i.png" alt="a [b] *c*">', '<img src="https://e.com/x y.png">'),
  ),
})).inline;
const block = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small' },
    inline.map((text) => `<p>${text}</p>`),
    fc.tuple(fc.integer({ min: 1, max: 6 }), inline).map(([n, text]) => `<h${String(n)}>${text}</h${String(n)}>`),
    fc.tuple(fc.constantFrom('', 'js'), fc.string({ maxLength: 20 })).map(([language, text]) =>
      `<pre><code class="language-${language}">${text.replace(/[<&]/g, '')}\n\`\`\`\n</code></pre>`),
    fc.array(tie('block'), { maxLength: 3 }).map((blocks) => `<blockquote>${blocks.join('')}</blockquote>`),
    fc.tuple(fc.constantFrom('<ul>', '<ol>', '<ol start="7">'), fc.array(fc.array(tie('block'), { maxLength: 3 }), { maxLength: 3 }))
      .map(([open, items]) => `${open}${items.map((item) => `<li>${item.join('')}</li>`).join('')}</${open.slice(1, 3)}>`),
    fc.array(fc.tuple(inline, inline), { minLength: 1, maxLength: 3 }).map((rows) =>
      `<table><thead><tr><th>A</th><th align="right">B</th></tr></thead>${rows.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>`),
    fc.constant('<hr>'),
  ),
})).block; // prettier-ignore

describe('Markdown', () => {
  it('shows what only looks like a tag', () => {
    const html = writeBlocks(
      readMarkdown('Map<String, List<Foo>> for <your-name>\n\n<Bar>\n').blocks,
    );
    expect(html).toBe(
      '<p dir="auto">Map&lt;String, List&lt;Foo&gt;&gt; for &lt;your-name&gt;</p>\n<p dir="auto">&lt;Bar&gt;</p>\n',
    );
  });
});

describe('Markdown written from formatted text', () => {
  it('reads as the same text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const before = settled(fromHtml(blocks.join('')));
        const written = writeMarkdown({ blocks: before });
        expect({ written, blocks: settled(readMarkdown(written).blocks) }).toEqual({
          written,
          blocks: before,
        });
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('reads as the same text by way of HTML too', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const before = fromHtml(blocks.join(''));
        expect(fromHtml(writeBlocks(before))).toEqual(before);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is written in a moment, whatever the text is', () => {
    const texts = ['#', '*', '[', '](', '_a', '\\', '`', '|', '&#'];
    const blocks = texts.map((text): Block => {
      const inlines = [{ kind: 'text' as const, text: text.repeat(30_000), marks: {} }];
      return { kind: 'paragraph', inlines };
    });
    const started = performance.now();
    writeMarkdown({ blocks });
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it.each([
    ['<h2>A <em>b</em></h2><p>one<br>two</p>', '## A *b*\n\none\\\ntwo'],
    ['<p><b>Note: </b>text</p>', '**Note:** text'],
    ['<p><b>bold <i>both</i> bold</b></p>', '**bold *both* bold**'],
    ['<p>half<b>way</b></p>', 'half**way**'],
    ['<p>see <a href="https://e.com/a">https://e.com/a</a></p>', 'see <https://e.com/a>'],
    ['<p>see <a href="/a b">here</a></p>', 'see [here](</a%20b>)'],
    ['<ul><li>a<ol><li>b<li>c</ol><li>d</ul>', '- a\n  1. b\n  2. c\n- d'],
    ['<ul><li><input type="checkbox" checked> done</ul>', '- [x] done'],
    ['<blockquote><p>a<p>b</blockquote>', '> a\n>\n> b'],
    ['<pre><code class="language-js">a\n\nb</code></pre>', '```js\na\n\nb\n```'],
    [
      '<table><tr><th>A<th align=right>B<tr><td>1|2<td><ul><li>x<li>y</ul></table>',
      '| A | B |\n| --- | ---: |\n| 1\\|2 | • x<br>• y |',
    ],
    ['<table><tr><td>A<td>B<tr><td>1<td>2</table>', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    ['<p>1. no list</p><p># no heading</p>', '1\\. no list\n\n\\# no heading'],
    ['<p>a_b * c</p>', 'a\\_b \\* c'],
    ['<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
  ])('is what a person would write: %s', (html, markdown) => {
    expect(rewritten(html)).toBe(markdown);
  });
});
