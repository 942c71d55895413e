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
  /** As its sender calls it, such as `notes.md`; may be empty. */
  name: string;
  format: ImportFormat;
}

/** What a file says; the title is missing only when nothing in it and not even its name gives one. */
export interface ImportedText {
  title?: string;
  type?: string;
  /** JSON text of an object. */
  metadata?: string;
  /** Markdown. */
  content: string;
  warnings: ConversionWarning[];
}

/** The longest title that is made of a heading or of a file's name; more would be refused. */
const MAX_TITLE_CHARACTERS = 500;
/** Where a heading is looked for. */
const HEADING_WITHIN = 64 * 1024;

/** Reads a file as a document. Throws `ConversionError` for a file that cannot be read. */
export async function importFile(file: ImportedFile): Promise<ImportedText> {
  switch (file.format) {
    case 'md':
      return importMarkdown(file);
    case 'html': {
      const html = decodeHtml(file.bytes);
      return fromReading(readHtml(html, { embeddedImages: 'describe' }), file.name);
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
  const issue = `was shortened to ${String(MAX_TITLE_CHARACTERS)} characters`;
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
      `${String(embeddedImages)} images stood in the file itself and were left out; their descriptions are kept`,
    ),
    ...warn(
      unsafeLinks > 0,
      `${String(unsafeLinks)} links led nowhere safe and were taken off their texts`,
    ),
    ...warn(elements.size > 0, `Markdown cannot hold ${[...elements].join(', ')}; left out`),
  ];
}
