import { strToU8, unzipSync, strFromU8 } from 'fflate';
import { readMarkdown } from '../markdown/markdown-reader.js';
import { writeMarkdown } from '../markdown/markdown-writer.js';
import { readDocx } from './docx-reader.js';
import { writeDocx } from './docx-writer.js';

const CONTENT = `# Results

Revenue **grew by *12 %*** in ~~Q2~~ Q3, see [the report](https://example.com/r?a=1&b=2).

- one
  - two with \`code\`
    1. deep
    2. deeper
- three

| Task lists | stay |
| --- | --- |

- [x] done
- [ ] to do
  - [x] within

7. seven
8. eight

   still eight

> quoted
>
> twice
>
> - a list
>   1. within

[an address](https://example.com) is kept as it is, <http://example.org/a?q=(a)#b> too

\`\`\`
const a = 1;

if (a < 2) b();\t// a tab
\tindented
\`\`\`

| Name | Amount |
| --- | --- |
| שלום עולם | 漢字 かな 한글 |
| مرحبا | 😀 |

one\\
two H<sub>2</sub>O x<sup>2</sup> <u>under</u>`;

const written = (content: string, title = 'The title') =>
  writeDocx(title, readMarkdown(content), { showTitle: true });

async function reread(content: string): Promise<string> {
  return writeMarkdown((await readDocx(await written(content))).text);
}

describe('DOCX', () => {
  it('brings back headings, lists, tables, code, quotes, links and emphasis of an export', async () => {
    // DOCX cannot put several paragraphs into one item.
    const expected = CONTENT.replace('   still eight', 'still eight');
    expect(await reread(CONTENT)).toBe(expected);
  });

  it('keeps the numbers of lists: where they begin, go on and begin anew', async () => {
    const content = [
      '5. five\n\n6. six\n\n   1. one\n   2. two\n\n7. seven\n\n   3. three\n\n8. eight',
      'between',
      '1. one\n2. two',
      'between',
      '100. hundred',
      '- bullet\n\n  9. nine\n\n- bullet\n\n  1. one',
      '> 4. quoted\n> 5. again',
    ].join('\n\n');
    expect(await reread(content)).toBe(content);
  });

  it('brings back the title, which is not repeated in the text', async () => {
    const { text } = await readDocx(await written('text', 'Ümläute & <tags> "שלום"'));
    expect(text.title).toBe('Ümläute & <tags> "שלום"');
    expect(writeMarkdown(text)).toBe('text');
  });

  it('brings back every other character that text may have', async () => {
    const hostile =
      'a\u0085b\u2028c\u2029d\u200be\ufefff\u202eg\u00adh\u0301i\ue000j\u{10ffff}k\u00a0l';
    const content = `${hostile}\n\n\`\`\`\n${hostile}\n\`\`\``;
    expect(await reread(content)).toBe(content);
  });

  it('holds text that XML cannot, without being damaged', async () => {
    expect(await reread('a\u0001b\u000bc\uffffd')).toBe('a\ufffdb\ufffdc\ufffdd');
  });

  it('splits a table of more columns than Word reads; each part has the first one', async () => {
    const row = (cell: (column: number) => string) =>
      `|${Array.from({ length: 100 }, (_, column) => cell(column)).join('|')}|`;
    const content = [row((column) => `c${String(column)}`), row(() => '-'), row(String)].join('\n');
    const { text } = await readDocx(await written(content));
    const rows = text.blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
    expect(rows.map(({ length }) => length)).toEqual([63, 63, 38, 38]);
    expect(writeMarkdown({ blocks: text.blocks })).toMatch(/^\| c0 \| c63 \|.* c99 \|$/m);
  });

  it('marks what runs from right to left', async () => {
    const xml = strFromU8(
      unzipSync(await written('שלום עולם'))['word/document.xml'] ?? strToU8(''),
    );
    expect(xml).toContain('<w:bidi/>');
    expect(xml).toContain('<w:rtl/>');
  });
});
