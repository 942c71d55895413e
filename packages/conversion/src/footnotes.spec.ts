import { strFromU8, unzipSync } from 'fflate';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { exportDocument } from './export-document.js';
import type { ExportFormat } from './formats.js';
import { importFile } from './import-file.js';
import { readMarkdown } from './markdown/markdown-reader.js';
import { writeMarkdown } from './markdown/markdown-writer.js';

const exported = (content: string, format: ExportFormat) => {
  const updatedAt = new Date(0);
  return exportDocument({ title: 'T', type: 'note', metadata: '{}', content, updatedAt }, format);
};

async function htmlOf(content: string): Promise<string> {
  const page = Buffer.from(await exported(content, 'html')).toString();
  return /<main>\n(.*)<\/main>/s.exec(page)?.[1] ?? '';
}

/** Exports and imports the text. */
async function again(content: string, format: 'html' | 'docx'): Promise<string> {
  const bytes = await exported(content, format);
  const read = await importFile({ bytes, name: `a.${format}`, format });
  expect(read.warnings).toEqual([]);
  return read.content;
}

const imported = async (html: string) =>
  (await importFile({ bytes: Buffer.from(html), name: 'a.html', format: 'html' })).content;

describe('footnotes', () => {
  it('are links to a section that links back in HTML', async () => {
    expect(await htmlOf('One[^a], two[^a].\n\n[^a]: A *note*.')).toBe(
      '<p dir="auto">One<sup><a href="#fn-1" id="fnref-1" data-footnote-ref>1</a></sup>, ' +
        'two<sup><a href="#fn-1" id="fnref-1-2" data-footnote-ref>1</a></sup>.</p>\n' +
        '<section class="footnotes" aria-label="Footnotes" data-footnotes>\n<ol>\n' +
        '<li id="fn-1" dir="auto">\n<p dir="auto">A <em>note</em>. ' +
        '<a href="#fnref-1" aria-label="Back to the text" data-footnote-backref>↩</a> ' +
        '<a href="#fnref-1-2" aria-label="Back to the text" data-footnote-backref>↩</a></p>\n</li>\n' +
        '</ol>\n</section>\n',
    );
  });

  it('are footnotes of the word processor in DOCX', async () => {
    const parts = unzipSync(
      await exported('One[^a], two[^a].\n\n[^a]: A [note](https://e.x).', 'docx'),
    );
    const part = (name: string) => strFromU8(parts[`word/${name}`] ?? new Uint8Array());
    expect(part('document.xml').match(/<w:footnoteReference w:id="1"\/>/g)).toHaveLength(1);
    expect(part('document.xml')).toMatch(/<w:hyperlink [^>]*w:anchor="Footnote1"/);
    expect(part('document.xml')).not.toContain('[^');
    expect(part('footnotes.xml')).toMatch(/<w:footnote w:id="1">.*A .*note.*<\/w:footnote>/s);
    expect(part('_rels/footnotes.xml.rels')).toContain('Target="https://e.x"');
  });

  it.each([
    ['one that repeats', 'a[^1] b[^1] c[^2]\n\n[^1]: One.\n\n[^2]: Two.'],
    [
      'blocks',
      'a[^1]\n\n[^1]: One.\n\n    Two.\n\n    - three\n    - four\n\n    ```\n    five\n    ```',
    ],
    ['inlines', 'a[^1]\n\n[^1]: **b** `c` [d](https://e.x) *e*'],
    [
      'headings, items and cells',
      '# a[^1]\n\n- b[^2]\n\n| c[^3] | d |\n| --- | --- |\n| e | f[^1] |\n\n[^1]: x\n\n[^2]: y\n\n[^3]: z',
    ],
    ['text like a footnote', 'a[^1]&#58; b \\[^1\\]\n\n\\[^2\\]: c\n\n[^1]: d'],
    ['emphasis', '**a**[^1] *b*[^1]\n\n[^1]: c'],
  ])('come back from HTML and DOCX: %s', async (_, content) => {
    const written = writeMarkdown(readMarkdown(content));
    expect(await again(content, 'html')).toBe(written);
    expect(await again(content, 'docx')).toBe(written);
    expect(readMarkdown(written)).toEqual(readMarkdown(content));
  });

  it('in footnotes are below the footnote in DOCX, and notes of their own elsewhere', async () => {
    const content = 'a[^1]\n\n[^1]: b[^2] [^1]\n\n[^2]: c[^1]';
    expect(await again(content, 'html')).toBe(content);
    expect(await again(content, 'docx')).toBe(
      'a[^1]\n\n[^1]: b<sup>2</sup> [^1]\n\n    <sup>2</sup> c[^1]',
    );
  });

  it.each([
    ['a reference without a footnote', 'a[^1] ^[b]', '<p dir="auto">a[^1] ^[b]</p>\n'],
    ['a footnote without a reference', '[^1]: a *b*', '<p dir="auto">[^1]: a <em>b</em></p>\n'],
    ['footnotes that refer to each other only', '[^1]: a[^1]', '<p dir="auto">[^1]: a[^1]</p>\n'],
    [
      'a second footnote',
      '`[^1]` \\[^1]\n\n[^1]: a',
      '<p dir="auto"><code>[^1]</code> [^1]</p>\n<p dir="auto">[^1]: a</p>\n',
    ],
    [
      'a footnote of code',
      '[^1]:\n    ```\n    a\n    ```',
      '<p dir="auto">[^1]:</p>\n<pre dir="ltr"><code>a\n</code></pre>\n',
    ],
  ])('are text if they are %s', async (_, content, html) => {
    expect(await htmlOf(content)).toBe(html);
  });

  it('cannot be forged or used to run code', async () => {
    const html = await htmlOf(
      'a[^"><script>alert(1)</script>] <a data-footnote-ref href="#x" onclick="b()">c</a>[^1]\n\n' +
        '[^"><script>alert(1)</script>]: <img src=x onerror=alert(1)>[d](javascript:e)\n[^1]: f\n\n' +
        '<section data-footnotes><ol><li id="\\"onload=">g</li></ol></section>',
    );
    expect(html).not.toMatch(/<script|onerror|onclick|onload=|href="javascript/);
    expect(html).toContain('<sup>c</sup>');
  });

  it.each([
    [
      'GitHub',
      '<p>a<sup><a href="#user-content-fn-1-9f" id="user-content-fnref-1-9f" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p><section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-1-9f"><p>b <a href="#user-content-fnref-1-9f" data-footnote-backref="" class="data-footnote-backref" aria-label="Back to reference 1">↩</a></p></li></ol></section>',
    ],
    [
      'pandoc',
      '<p>a<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr /><ol><li id="fn1"><p>b<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
    ],
    [
      'markdown-it',
      '<p>a<sup class="footnote-ref"><a href="#fn1" id="fnref1" role="doc-noteref">[1]</a></sup></p><hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>b <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>',
    ],
  ])('are imported from the HTML of %s', async (program, html) => {
    const rule = program === 'markdown-it' ? '\n\n___' : '';
    expect(await imported(html)).toBe(`a[^1]${rule}\n\n[^1]: b`);
  });

  it('lose no text if they do not belong together', async () => {
    const html =
      '<p>a<a data-footnote-ref href="#no">7</a></p><section class="footnotes">b<ol><li id="c">c</li><li>d</li></ol></section>';
    expect(await imported(html)).toBe('a<sup>7</sup>\n\nb\n\n- d\n\n1. c');
  });

  it('are read in linear time', () => {
    const started = process.cpuUsage();
    const texts = ['[^a]: ', '[^a]', '[^', '[^a]: b\n\n', '[^a]: [^a]\n'];
    for (const part of texts) readMarkdown(`[^a]: x\n\n${part.repeat(60_000 / part.length)}`);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });

  it('read as they were written, for any references and notes', () => {
    const parts = fc.constantFrom(
      ...[
        'a ',
        '[^1]',
        '[^2]',
        '\n\n',
        '\n',
        '[^1]: ',
        '[^2]: ',
        '    ',
        '- ',
        '> ',
        '# ',
        '**',
        '`',
        '[',
        ']',
        '|',
        ':',
      ],
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (list) => {
        const read = readMarkdown(list.join(''));
        const text = writeMarkdown(read);
        expect(writeMarkdown(readMarkdown(text))).toBe(text);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});
