import { randomUUID } from 'node:crypto';
import { decodeHTML } from 'entities';
import { strFromU8, strToU8, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { unreadableFile } from '../conversion-errors.js';
import { escapeHtml } from '../html/escape-html.js';
import { readHtml, type HtmlReading } from '../html/html-reader.js';
import { TITLE_CLASS } from '../html/elements.js';
import { readDocxArchive, type DocxParts } from './docx-archive.js';
import { STYLES } from './docx-styles.js';
import { readNotes } from './docx-notes.js';
import { markNumbers, readMarks } from './list-numbers.js';
import { markRules } from './rules.js';

/** Style names of Word, LibreOffice and pandoc. */
const QUOTES = [STYLES.quote, 'Intense Quote', 'Quotations', 'Block Text'];
const CODE_LINES = ['HTML Preformatted', 'Preformatted Text'];
const INLINE_CODE = [STYLES.inlineCode, 'HTML Code', 'Source Text'];
/** The levels of lists that mammoth supports. */
const LIST_LEVELS = [1, 2, 3, 4, 5];

/** Maps styles of word processors, and of our exports, to elements. */
const STYLE_MAP = [
  `p[style-name='Title'] => header.${TITLE_CLASS}:fresh > h1:fresh`,
  ...QUOTES.flatMap((style) => [
    ...LIST_LEVELS.flatMap((level) => quotedLists(style, level)),
    `p[style-name='${style}'] => blockquote > p:fresh`,
  ]),
  `p[style-name='${STYLES.code}'] => pre:fresh`,
  ...CODE_LINES.map((style) => `p[style-name='${style}'] => pre:separator('\\n')`),
  ...INLINE_CODE.map((style) => `r[style-name='${style}'] => code`),
  'u => u',
];

const SHOWN_TITLE = new RegExp(`<header class="${TITLE_CLASS}"><h1>([^<]+)</h1></header>`);
/** Tags around the text of a field, such as a chapter number. mammoth skips what is between them. */
const SIMPLE_FIELD = /<\/?w:fldSimple\b(?:[^<>"']|"[^"<]*"|'[^'<]*'){0,2000}>/g;
const MAX_LOSSES = 10;

/** Reads a DOCX document as formatted text. Throws `ConversionError` if the file is not a DOCX document or could do harm. */
export async function readDocx(bytes: Uint8Array): Promise<HtmlReading> {
  const parts = await readDocxArchive(bytes);
  // Unique for each call, so no document can contain it.
  const mark = `n${randomUUID()}`;
  const converted = await convert(prepared(parts, mark), mark);
  const numbered = readMarks(converted.value.replaceAll(ruleMark(mark), '<hr>'), mark + mark);
  const value = withTasks(readNotes(numbered, mark));
  const shown = SHOWN_TITLE.exec(value)?.[1];
  const title = shown ?? escapeHtml(propertyTitle(parts));
  const reading = readHtml(`<title>${title}</title>${value}`, {
    embeddedImages: 'describe',
    footnotes: true,
  });
  const elements = new Set(reading.losses.elements);
  for (const { message } of converted.messages) {
    const element = /unrecognised element was ignored: (?:\{[^}]*\}|\w+:)?(\w+)/.exec(message)?.[1];
    if (element !== undefined && elements.size < MAX_LOSSES) elements.add(element);
  }
  return { ...reading, losses: { ...reading.losses, elements } };
}

/** Converts the document to HTML in which every id starts with `idPrefix`. */
async function convert(
  parts: DocxParts,
  idPrefix: string,
): Promise<Awaited<ReturnType<typeof mammoth.convertToHtml>>> {
  try {
    return await mammoth.convertToHtml(
      { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
      {
        styleMap: STYLE_MAP,
        idPrefix,
        // A style map in the document could name any element.
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: 'data:' })),
      },
    );
  } catch (error) {
    if (error instanceof RangeError)
      throw unreadableFile('is nested too deeply; flatten its structure');
    throw unreadableFile(
      'is damaged or not a DOCX document; open it in a word processor and save it as .docx',
    );
  }
}

/** Keeps styled paragraphs in their lists. mammoth would take them out. */
function quotedLists(style: string, level: number): string[] {
  const around = 'ul|ol > li > '.repeat(level - 1);
  return [
    `p[style-name='${style}']:unordered-list(${String(level)}) => blockquote > ${around}ul > li:fresh`,
    `p[style-name='${style}']:ordered-list(${String(level)}) => blockquote > ${around}ol > li:fresh`,
  ];
}

/** Rewrites what mammoth does not support as something that it does. */
function prepared(parts: DocxParts, mark: string): DocxParts {
  const xml = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  if (!parts['word/document.xml']) return parts;
  const definitions = { numbering: xml('word/numbering.xml'), styles: xml('word/styles.xml') };
  const fields = xml('word/document.xml').replace(SIMPLE_FIELD, '');
  const document = markRules(fields, definitions.styles, ruleMark(mark));
  return { ...parts, 'word/document.xml': strToU8(markNumbers(document, definitions, mark)) };
}

function ruleMark(mark: string): string {
  return `${mark}-rule`;
}

/** Converts boxes before the text of items to checkboxes. Our exports and pandoc write tasks this way. */
function withTasks(html: string): string {
  return html.replace(
    /<li>([☐☑☒]) /g,
    (_, box) => `<li><input type="checkbox"${box === '☐' ? '' : ' checked'}> `,
  );
}

/** Returns the title in the document properties, or an empty string. */
function propertyTitle(parts: DocxParts): string {
  const xml = strFromU8(parts['docProps/core.xml'] ?? new Uint8Array());
  const title = /<dc:title>([^<]{0,4000})<\/dc:title>/.exec(xml)?.[1] ?? '';
  return decodeHTML(title);
}
