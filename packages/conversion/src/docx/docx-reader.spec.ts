import { zipSync, strToU8, unzipSync, strFromU8 } from 'fflate';
import { ConversionError } from '../conversion-errors.js';
import { readMarkdown } from '../markdown/markdown-reader.js';
import { writeMarkdown } from '../markdown/markdown-writer.js';
import { readDocx } from './docx-reader.js';
import { writeDocx } from './docx-writer.js';

const written = (content: string) =>
  writeDocx('The title', readMarkdown(content), { showTitle: true });

/** Returns a document with some of its parts replaced. */
async function withParts(parts: Record<string, string>): Promise<Uint8Array> {
  const original = unzipSync(await written('text'));
  const changed = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync({ ...original, ...Object.fromEntries(changed) }, { level: 1 });
}

async function refusal(bytes: Uint8Array): Promise<string> {
  const error: unknown = await readDocx(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConversionError);
  return (error as ConversionError).message;
}

describe('DOCX of other programs', () => {
  it('goes on counting behind what interrupts a list, as word processors do', async () => {
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const item = (list: number, text: string, level = 0) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${String(level)}"/><w:numId w:val="${String(list)}"/></w:numPr></w:pPr>${text && `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`;
    const plain = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const level = (n: number, start: number) =>
      `<w:lvl w:ilvl="${String(n)}"><w:start w:val="${String(start)}"/><w:numFmt w:val="decimal"/></w:lvl>`;
    const bytes = await withParts({
      'word/numbering.xml': `<w:numbering ${w}><w:abstractNum w:abstractNumId="7">${level(0, 3)}${level(1, 1)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`,
      'word/document.xml': `<w:document ${w}><w:body>${[
        item(1, 'three'),
        item(1, 'inner', 1),
        plain('between'),
        item(1, 'inner two', 1),
        item(1, 'four'),
        item(1, 'inner anew', 1),
        item(1, ''),
        item(2, 'six shares'),
        item(3, 'one overrides'),
        item(3, 'two'),
      ].join('')}</w:body></w:document>`,
    });
    const written = writeMarkdown((await readDocx(bytes)).text);
    expect(written.replace(/^\s+/gm, '').split('\n')).toEqual([
      '3. three',
      '1. inner',
      'between',
      '- 2. inner two',
      '4. four',
      '1. inner anew',
      // A different marker, so that the list does not join the one above.
      '6) six shares',
      '1. one overrides',
      '2. two',
    ]);
  });

  it.each([
    ['LibreOffice', 'Quotations', 'Preformatted Text', 'Source Text'],
    ['Word', 'Intense Quote', 'HTML Preformatted', 'HTML Code'],
    ['pandoc', 'Block Text', 'Source Code', 'Verbatim Char'],
  ])('knows quotes and code of %s', async (_, quote, code, inlineCode) => {
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const named = (id: string, type: string, name: string) =>
      `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
    const paragraph = (style: string, text: string) =>
      `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const styles = [
      named('q', 'paragraph', quote),
      named('c', 'paragraph', code),
      named('i', 'character', inlineCode),
    ];
    const bytes = await withParts({
      'word/styles.xml': `<w:styles ${w}>${styles.join('')}</w:styles>`,
      'word/document.xml': `<w:document ${w}><w:body>${paragraph('q', 'said')}${paragraph('c', 'if  (a)')}<w:p><w:r><w:rPr><w:rStyle w:val="i"/></w:rPr><w:t>b()</w:t></w:r></w:p></w:body></w:document>`,
    });
    expect(writeMarkdown((await readDocx(bytes)).text)).toBe(
      '> said\n\n```\nif  (a)\n```\n\n`b()`',
    );
  });

  it('keeps the text that fields show', async () => {
    const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t xml:space="preserve">see </w:t></w:r><w:fldSimple w:instr=" REF _x \\h > 'y'" w:dirty="true"><w:r><w:t>chapter 3</w:t></w:r></w:fldSimple><w:fldSimple w:instr="PAGE"/></w:p></w:body></w:document>`;
    const { text, losses } = await readDocx(await withParts({ 'word/document.xml': document }));
    expect(writeMarkdown(text)).toBe('see chapter 3');
    expect([...losses.elements]).toEqual([]);
  });

  it('leaves pictures out, tells how many, and keeps their descriptions', async () => {
    const picture = `<w:drawing xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><wp:inline><wp:docPr id="1" name="p" descr="A chart"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId77"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;
    const parts = unzipSync(await written('text'));
    const document = strFromU8(parts['word/document.xml'] ?? strToU8(''));
    const relations = strFromU8(parts['word/_rels/document.xml.rels'] ?? strToU8(''));
    const bytes = await withParts({
      'word/document.xml': document.replace(
        '</w:r></w:p><w:sectPr',
        `${picture}</w:r></w:p><w:sectPr`,
      ),
      'word/_rels/document.xml.rels': relations.replace(
        '</Relationships>',
        '<Relationship Id="rId77" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/p.png"/></Relationships>',
      ),
      'word/media/p.png': 'not read',
    });
    const { text, losses } = await readDocx(bytes);
    expect(writeMarkdown(text)).toContain('A chart');
    expect(losses.embeddedImages).toBe(1);
  });

  it('follows no external file and no link that runs something', async () => {
    const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body><w:p><w:hyperlink r:id="rId9"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p></w:body></w:document>`;
    const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="java&#9;script:alert(1)" TargetMode="External"/></Relationships>`;
    const { text, losses } = await readDocx(
      await withParts({ 'word/document.xml': document, 'word/_rels/document.xml.rels': relations }),
    );
    expect(writeMarkdown(text)).toBe('click');
    expect(losses.unsafeLinks).toBe(1);
  });

  it.each([
    ['no archive', () => strToU8('PK\u0003\u0004 nonsense'), /not a DOCX/],
    ['nothing', () => new Uint8Array(), /not a DOCX/],
    ['an archive of something else', () => zipSync({ 'a.xml': strToU8('<a/>') }), /not a DOCX/],
    ['a cut off archive', async () => (await written('text')).slice(0, 900), /not a DOCX/],
    ['broken XML', () => withParts({ 'word/document.xml': '<w:document' }), /damaged/],
    [
      'a document type, whose entities could grow',
      () =>
        withParts({
          'word/document.xml':
            '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>',
        }),
      /document type/,
    ],
    [
      'a part that unpacks too large',
      () => withParts({ 'word/document.xml': ' '.repeat(33 * 1024 * 1024) }),
      /is too large when unpacked/,
    ],
    [
      'many parts that unpack too large together',
      () =>
        withParts(
          Object.fromEntries(
            Array.from({ length: 2 }, (_, n) => [
              `word/${String(n)}.xml`,
              ' '.repeat(25 * 1024 * 1024),
            ]),
          ),
        ),
      /is too large when unpacked/,
    ],
    [
      'too many parts',
      () =>
        withParts(
          Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`x/${String(n)}.bin`, ''])),
        ),
      /is too large when unpacked/,
    ],
    [
      'endless nesting',
      () =>
        withParts({
          'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${'<w:sdt><w:sdtContent>'.repeat(20_000)}${'</w:sdtContent></w:sdt>'.repeat(20_000)}</w:body></w:document>`,
        }),
      /is nested too deeply/,
    ],
  ])('is refused with a sentence when it is %s', async (_, bytes, sentence) => {
    expect(await refusal(await bytes())).toMatch(sentence);
  });

  it('is refused when a part is longer than the archive claims', async () => {
    const honest = await withParts({ 'word/document.xml': ' '.repeat(1024 * 1024) });
    const lying = Buffer.from(honest);
    // The uncompressed size in the central directory, which readers trust.
    let at = lying.indexOf('PK\u0001\u0002');
    while (at !== -1) {
      if (lying.readUInt32LE(at + 24) === 1024 * 1024) lying.writeUInt32LE(10, at + 24);
      at = lying.indexOf('PK\u0001\u0002', at + 4);
    }
    expect(await refusal(lying)).toMatch(/not a DOCX/);
  });
});
