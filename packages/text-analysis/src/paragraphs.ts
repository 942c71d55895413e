import { withoutCodeBlocks } from './text/code-blocks.js';
import { markdownParagraphs } from './text/markdown-paragraphs.js';
import { addParagraph, trimmed, type Paragraph } from './text/prose.js';

/** The formats of a text. Formats other than Markdown are read as plain text. */
export type ProseFormat = 'markdown' | 'plain';

/** Returns the prose of a text in order. Takes linear time and never throws. */
export function paragraphsOf(text: string, format: ProseFormat): Paragraph[] {
  const source = withoutCodeBlocks(text);
  return format === 'markdown' ? markdownParagraphs(source) : plainParagraphs(source);
}

function plainParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let start = 0;
  let lineStart = 0;
  const close = (end: number) => {
    const range = trimmed(text, { start, end });
    if (range.start < range.end) {
      const marker =
        /^(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?=\S)/.exec(
          text.slice(range.start, range.start + 100),
        )?.[0] ?? '';
      const kind = marker ? 'list-item' : 'paragraph';
      addParagraph(
        paragraphs,
        text,
        { start: range.start + marker.length, end: range.end, kind },
        [],
      );
    }
    start = end;
  };
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    const line = text.slice(lineStart, Math.min(lineEnd, lineStart + 200));
    if (/^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S/.test(line)) close(lineStart);
    else if (/^\s*$/.test(line) && lineEnd - lineStart <= 200) close(lineEnd);
    lineStart = lineEnd;
  }
  close(text.length);
  return paragraphs;
}
