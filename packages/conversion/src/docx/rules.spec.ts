import { strToU8, unzipSync, zipSync } from 'fflate';
import { readMarkdown } from '../markdown/markdown-reader.js';
import { writeMarkdown } from '../markdown/markdown-writer.js';
import { readDocx } from './docx-reader.js';
import { writeDocx } from './docx-writer.js';
import { markRules } from './rules.js';

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';

const run = (text: string) => (text === '' ? '' : `<w:r><w:t>${text}</w:t></w:r>`);
const plain = (text: string) => `<w:p>${run(text)}</w:p>`;
const border = (...sides: string[]) =>
  `<w:pBdr>${sides.map((side) => `<w:${side} w:val="single" w:sz="6" w:space="1" w:color="auto"/>`).join('')}</w:pBdr>`;
const paragraph = (properties: string, text = '') =>
  `<w:p w:rsidR="00A1"><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;

/** Reads a document with this body as Markdown. */
async function read(body: string, styles = ''): Promise<string> {
  const original = unzipSync(await writeDocx('', readMarkdown('x'), { showTitle: false }));
  const changed = {
    'word/document.xml': strToU8(`<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`),
    'word/styles.xml': strToU8(`<w:styles ${NAMESPACES}>${styles}</w:styles>`),
  };
  const { text } = await readDocx(zipSync({ ...original, ...changed }, { level: 1 }));
  return writeMarkdown(text);
}

describe('a horizontal rule of a DOCX document', () => {
  it.each([
    [
      'Word, drawn',
      '<w:p><w:r><w:pict w14:anchorId="4E"><v:rect id="_x0000_i1025" style="width:0;height:1.5pt" o:hralign="center" o:hrstd="t" o:hr="t" fillcolor="#a0a0a0" stroked="f"/></w:pict></w:r></w:p>',
    ],
    [
      'Google Docs',
      '<w:p><w:pPr><w:rPr/></w:pPr><w:r><w:rPr><w:rtl w:val="0"/></w:rPr><w:pict><v:rect style="width:0.0pt;height:1.5pt" o:hr="t" o:hrstd="t" o:hralign="center" fillcolor="#A0A0A0" stroked="f"/></w:pict></w:r></w:p>',
    ],
    [
      'pandoc',
      `<w:p><w:r><w:pict><v:rect style="width:0;height:1.5pt" o:hralign="center" o:hrstd="t" o:hr="t" /></w:pict></w:r></w:p>`,
    ],
    ['an empty paragraph with a border', paragraph(border('bottom'))],
    ['an empty paragraph with a border above', paragraph(border('top'))],
    [
      'an empty paragraph of spaces with a border',
      paragraph(border('bottom')).replace('</w:p>', '<w:r/></w:p>'),
    ],
    ['LibreOffice', paragraph('<w:pStyle w:val="HorizontalLine"/>')],
    ['a style based on it', paragraph('<w:pStyle w:val="Derived"/><w:rPr><w:b/></w:rPr>')],
  ])('is read: %s', async (_, rule) => {
    const styles = `<w:style w:type="paragraph" w:styleId="HorizontalLine"><w:name w:val="Horizontal Line"/><w:pPr><w:pBdr><w:bottom w:val="double" w:sz="2" w:space="0" w:color="808080"/></w:pBdr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Derived"><w:name w:val="Mine"/><w:basedOn w:val="HorizontalLine"/></w:style>`;
    expect(await read(plain('above') + rule + plain('below'), styles)).toBe(
      'above\n\n___\n\nbelow',
    );
  });

  it.each([
    ['below text', [paragraph(border('bottom'), 'a'), plain('b')], 'a\n\n___\n\nb'],
    ['above text', [plain('a'), paragraph(border('top'), 'b')], 'a\n\n___\n\nb'],
    [
      'below a group of paragraphs',
      [paragraph(border('bottom'), 'a'), paragraph(border('bottom'), 'b'), plain('c')],
      'a\n\nb\n\n___\n\nc',
    ],
    [
      'below paragraphs with text between them',
      [paragraph(border('bottom'), 'a'), plain('b'), paragraph(border('bottom'), 'c')],
      'a\n\n___\n\nb\n\nc\n\n___',
    ],
    [
      'below a heading',
      [paragraph(`<w:outlineLvl w:val="0"/>${border('bottom')}`, 'a'), plain('b')],
      'a\n\n___\n\nb',
    ],
    ['several times', [paragraph(border('bottom')), paragraph(border('bottom'))], '___\n\n___'],
  ])('that Word makes of three hyphens is read: %s', async (_, body, expected) => {
    expect(await read(body.join(''))).toBe(expected);
  });

  it.each([
    ['a frame', border('top', 'left', 'bottom', 'right')],
    ['a bar beside the text', border('left')],
    ['no border', '<w:pBdr><w:bottom w:val="nil"/><w:top w:val="none"/></w:pBdr>'],
    [
      'old properties of a tracked change',
      `<w:pPrChange><w:pPr>${border('bottom')}</w:pPr></w:pPrChange>`,
    ],
  ])('is not %s', async (_, properties) => {
    expect(await read(paragraph(properties, 'a') + paragraph(properties) + plain('b'))).toBe(
      'a\n\nb',
    );
  });

  it('of a style is one only without text, because titles have lines too', async () => {
    const styles = `<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Subject"/><w:pPr>${border('bottom')}</w:pPr></w:style>`;
    const titled = paragraph('<w:pStyle w:val="Title"/>', 'a');
    const without = paragraph('<w:pStyle w:val="Title"/><w:pBdr><w:bottom w:val="nil"/></w:pBdr>');
    expect(await read(titled + without + plain('b'), styles)).toBe('a\n\nb');
  });

  it('comes back from an export', async () => {
    const content = 'a\n\n___\n\n- b\n\nc\n\n___\n\n___';
    const bytes = await writeDocx('T', readMarkdown(content), { showTitle: true });
    expect(writeMarkdown((await readDocx(bytes)).text)).toBe(content);
  });

  it('is found in linear time', () => {
    const started = process.cpuUsage();
    for (const body of [
      '<w:p><w:r><w:pict>',
      '<w:p><w:pPr><w:pBdr>',
      paragraph(border('bottom'), 'a'),
    ])
      markRules(body.repeat(50_000), '', 'mark');
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5_000);
  });
});
