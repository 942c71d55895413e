import type { ExportedText } from '../export-document.js';
import { readFrontMatter } from './front-matter.js';

/**
 * A document as a Markdown file: title, type and metadata as front matter, then the content to the letter. Read again,
 * it gives the same title, type, metadata and content, byte for byte.
 */
export function writeMarkdownFile(document: ExportedText): string {
  const { title, type, metadata, content } = document;
  // Metadata is JSON, which is YAML too, on one line at least; what YAML would not keep goes as a quoted text.
  const spellings = [metadata, quoted(metadata)];
  const files = spellings.map(
    (spelling) =>
      `---\ntitle: ${quoted(title)}\ntype: ${type}\nmetadata: ${spelling}\n---\n${content}`,
  );
  const [faithful] = files.filter((file) => isFaithful(file, document));
  if (faithful === undefined) throw new Error('The front matter does not read as it was written.');
  return faithful;
}

function isFaithful(file: string, { title, type, metadata, content }: ExportedText): boolean {
  try {
    const read = readFrontMatter(file);
    return (
      read.title === title &&
      read.type === type &&
      read.metadata === metadata &&
      read.content === content
    );
  } catch {
    return false;
  }
}

/** Text in double quotes, as both JSON and YAML read it; what does not print is escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
