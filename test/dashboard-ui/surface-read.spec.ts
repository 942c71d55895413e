import type { Node } from 'prosemirror-model';
import { withPlainLineBreaks } from '../../packages/dashboard/src/pages/documents/editor/line-breaks.js';
import { readBlocks } from '../../packages/dashboard/src/pages/documents/editor/surface/read.js';
import { Sources } from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
import { readmes } from '../browser/support/readmes.js';
import { drillCases } from '../support/drills.js';
import { linesOfExport, linesOfNode } from './support/visible-lines.js';

describe('the reader of the editor', () => {
  it('READMEs look the same in the editor and in an export', () => {
    const files = drillCases(readmes(), (_, index) => index % 16 === 0);
    let blockCount = 0;
    const different: string[] = [];
    for (const { file, text } of files) {
      const markdown = withPlainLineBreaks(text);
      const { blocks } = readBlocks(markdown);
      const sourceOf = ({ from, to }: { from: number; to: number }) => markdown.slice(from, to);
      const definitions = blocks
        .filter(({ node }) => node.attrs['kind'] === 'reference')
        .map(sourceOf)
        .join('\n\n');
      for (const block of blocks) {
        if (hasHtml(block.node)) continue;
        blockCount += 1;
        const shown = plain(linesOfNode(block.node));
        if (shown !== plain(linesOfExport(`${sourceOf(block)}\n\n${definitions}`))) {
          different.push(`${file}: ${sourceOf(block)}`);
        }
      }
    }
    // Tables whose delimiter row ends with spaces, addresses without a domain, and addresses that are not safe to
    // follow: 20 of 47,319 blocks in the full run.
    expect(different.length).toBeLessThanOrEqual(Math.ceil(blockCount / 1_000));
    expect(blockCount).toBeGreaterThan(1_000);
  });

  it.each([
    ['a table in a quote', '> | a | b |\n> |---|--:|\n> | `x\\|y` | <br> |\n'],
    ['a tab after a bullet', '-\ta\n\n\tb\n'],
    ['loose and tight lists', '- a\n- b\n\n  c\n\n1. x\n2. y\n   - z\n'],
    ['a setext heading of two lines', 'a\nb\n===\n'],
    ['front matter', '---\ntitle: x\n---\n\nText\n'],
    ['a footnote', 'Text[^1].\n\n[^1]: Note\n\n    more\n'],
    ['an undefined reference', '[a] [b][] [c][d] [^e] [x]\n'],
    ['entities', '&amp; &copy; &#38; &nbsp;x &unknown;\n'],
    ['code that nothing closes', '```js\na\n\nb\n'],
    ['raw HTML', '<div>\n\n*a*\n\n</div>\n<!-- b -->\n'],
    ['blank lines at both ends', '\n\n  \nText\n\n\n'],
    ['text that is only blank', ' \n\n\t\n'],
    ['no text', ''],
    ['deep quotes', `${'> '.repeat(500)}x\n`],
  ])('%s keeps every byte', (_, markdown) => {
    const sources = new Sources();
    expect(sources.write(sources.read(markdown))).toBe(markdown);
  });

  it('a definition of a footnote stays Markdown, and its references are not text', () => {
    const { blocks } = readBlocks('A[^1] b[^2].\n[^1]: Note\n\n    *more*\n\nEnd');
    expect(blocks.map(({ node }) => node.toString())).toEqual([
      'paragraph("A", html("[^1]"), " b[^2].")',
      'raw_block("[^1]: Note\\n\\n    *more*")',
      'paragraph("End")',
    ]);
  });

  it('an empty text is one empty paragraph', () => {
    expect(new Sources().read('').toString()).toBe('doc(paragraph)');
  });
});

/** The exporter interprets HTML. The editor shows it as text. */
function hasHtml(node: Node): boolean {
  let isFound = node.type.name === 'raw_block';
  node.descendants((child) => {
    const isHtml = child.marks.some(({ type }) => type.name === 'html');
    isFound ||= isHtml || child.type.name === 'raw_block';
  });
  return isFound;
}

/** Exports join spaces. */
function plain(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?⏎ ?/g, '⏎')
    .replace(/ $/gm, '');
}
