import type { ConversionWarning } from './conversion-errors.js';
import type { HtmlReading, Losses } from './html/html-reader.js';
import { readHtml } from './html/html-reader.js';
import { readFrontMatter } from './markdown/front-matter.js';
import { readMarkdown } from './markdown/markdown-reader.js';
import { writeMarkdown } from './markdown/markdown-writer.js';
import { firstHeading, oneLine } from './rich-text/rich-text.js';
import { decodeHtml, decodeText } from './text-decoding.js';
import type { ImportFormat } from './formats.js';

export interface ImportedFile {
  bytes: Uint8Array;
  /** The sender's file name, such as `notes.md`. May be empty. */
  name: string;
  format: ImportFormat;
}

/** The content of a file. `title` is missing only if neither the text nor the file name provides one. */
export interface ImportedText {
  title?: string;
  type?: string;
  /** JSON text of an object. */
  metadata?: string;
  /** Markdown. */
  content: string;
  warnings: ConversionWarning[];
}

/** Maximum length of a title, as in the API. Longer headings and file names are shortened. */
const MAX_TITLE_CHARACTERS = 500;
/** Number of characters to search for a heading. */
const HEADING_WITHIN = 64 * 1024;

/** Reads a file as a document. Throws `ConversionError` if the file cannot be read. */
export async function importFile(file: ImportedFile): Promise<ImportedText> {
  switch (file.format) {
    case 'md':
      return importMarkdown(file);
    case 'html': {
      const html = decodeHtml(file.bytes);
      return fromReading(
        readHtml(html, { embeddedImages: 'describe', footnotes: true }),
        file.name,
      );
    }
    case 'docx': {
      const { readDocx } = await import('./docx/docx-reader.js');
      return fromReading(await readDocx(file.bytes), file.name);
    }
  }
}

function importMarkdown({ bytes, name }: ImportedFile): ImportedText {
  const read = readFrontMatter(decodeText(bytes));
  if (read.title !== undefined) return read;
  const { blocks } = readMarkdown(read.content.slice(0, HEADING_WITHIN).toWellFormed());
  return withTitle(read, firstHeading(blocks), name);
}

function fromReading({ text, losses }: HtmlReading, name: string): ImportedText {
  const imported = { content: writeMarkdown(text), warnings: warningsOf(losses) };
  return withTitle(imported, text.title ?? firstHeading(text.blocks), name);
}

function withTitle(imported: ImportedText, found: string | undefined, name: string): ImportedText {
  const title = found ?? oneLine(name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, ''));
  if (title === '') return imported;
  const characters = Array.from(title);
  if (characters.length <= MAX_TITLE_CHARACTERS) return { ...imported, title };
  const issue = `shortened to ${String(MAX_TITLE_CHARACTERS)} characters`;
  return {
    ...imported,
    title: characters.slice(0, MAX_TITLE_CHARACTERS).join('').trim(),
    warnings: [...imported.warnings, { field: 'title', issue }],
  };
}

function warningsOf({ elements, embeddedImages, unsafeLinks }: Losses): ConversionWarning[] {
  const warn = (condition: boolean, issue: string) =>
    condition ? [{ field: 'content', issue }] : [];
  return [
    ...warn(
      embeddedImages > 0,
      `${counted(embeddedImages, 'embedded image')} removed; descriptions are included as text`,
    ),
    ...warn(
      unsafeLinks > 0,
      `${counted(unsafeLinks, 'unsafe link')} removed; the link text remains`,
    ),
    ...warn(
      elements.size > 0,
      `removed elements that Markdown cannot represent: ${[...elements].join(', ')}`,
    ),
  ];
}

/** Returns `1 image`, `2 images`. */
function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
