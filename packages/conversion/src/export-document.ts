import { writeHtmlPage } from './html/html-writer.js';
import { readMarkdown } from './markdown/markdown-reader.js';
import { writeMarkdownFile } from './markdown/front-matter.js';
import { firstHeading, oneLine, type RichText } from './rich-text/rich-text.js';
import type { ExportFormat, ExportedText } from './formats.js';

/** Exports a document as a file. Run it in a thread: it takes from milliseconds to seconds. */
export async function exportDocument(
  document: ExportedText,
  format: ExportFormat,
): Promise<Uint8Array> {
  if (format === 'md') return Buffer.from(writeMarkdownFile(document));
  const text = readMarkdown(document.content);
  const { title, updatedAt } = document;
  const showTitle = !beginsWithTitle(text, title);
  switch (format) {
    case 'html':
      return Buffer.from(writeHtmlPage(title, text, { showTitle }));
    case 'docx': {
      const { writeDocx } = await import('./docx/docx-writer.js');
      return writeDocx(title, text, { showTitle });
    }
    case 'pdf': {
      const { writePdf } = await import('./pdf/pdf-writer.js');
      return writePdf(title, text, { showTitle, updatedAt });
    }
  }
}

/** Returns true if the text starts with its own title. Otherwise exports would show the title twice. */
function beginsWithTitle({ blocks }: RichText, title: string): boolean {
  return firstHeading(blocks.slice(0, 1)) === oneLine(title);
}
