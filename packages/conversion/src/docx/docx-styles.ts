import type { IStylesOptions } from 'docx';

/** Names of the styles that carry meaning in exported documents. The reader recognizes them. */
export const STYLES = {
  code: 'Source Code',
  inlineCode: 'Verbatim Char',
  quote: 'Quote',
} as const;

/** Ids by which paragraphs and runs refer to the same styles. */
export const STYLE_IDS = {
  tableHeader: 'TableHeader',
  code: 'SourceCode',
  inlineCode: 'VerbatimChar',
  quote: 'Quote',
  footnote: 'FootnoteText',
} as const;

const MONOSPACED = { ascii: 'Consolas', hAnsi: 'Consolas', cs: 'Consolas', eastAsia: 'NSimSun' };
const GREY = { type: 'clear', fill: 'F3F3F3', color: 'auto' } as const;

export const DOCX_STYLES: IStylesOptions = {
  default: {
    document: {
      // Sizes are in half points, spaces in twentieths of a point.
      run: { size: 22, font: 'Calibri' },
      paragraph: { spacing: { after: 120, line: 276 } },
    },
    title: { run: { size: 48, bold: true }, paragraph: { spacing: { after: 240 } } },
    ...Object.fromEntries(
      [36, 30, 26, 24, 22, 22].map((size, index) => [
        `heading${String(index + 1)}`,
        { run: { size, bold: true }, paragraph: { spacing: { before: 280, after: 120 } } },
      ]),
    ),
  },
  paragraphStyles: [
    {
      id: STYLE_IDS.code,
      name: STYLES.code,
      basedOn: 'Normal',
      run: { font: MONOSPACED, size: 19 },
      paragraph: { shading: GREY, spacing: { line: 240 } },
    },
    { id: STYLE_IDS.tableHeader, name: 'Table Header', basedOn: 'Normal', run: { bold: true } },
    {
      id: STYLE_IDS.quote,
      name: STYLES.quote,
      basedOn: 'Normal',
      run: { color: '555555' },
      paragraph: { border: { left: { style: 'single', size: 18, space: 8, color: 'BBBBBB' } } },
    },
  ],
  characterStyles: [
    {
      id: STYLE_IDS.inlineCode,
      name: STYLES.inlineCode,
      basedOn: 'DefaultParagraphFont',
      run: { font: MONOSPACED, size: 20, shading: GREY },
    },
  ],
};
