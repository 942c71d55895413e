import type { TextRange } from '../analysis.js';
import type { Paragraph } from '../text/prose.js';

export interface OutlineEntry extends TextRange {
  /** 1 to 6. */
  level: number;
  /** Text without Markdown signs, including code. */
  text: string;
  /** Starts at 1. */
  line: number;
}

/** Returns the headings of a text in order. */
export function outlineOf(text: string, paragraphs: readonly Paragraph[]): OutlineEntry[] {
  let line = 1;
  let counted = 0;
  return paragraphs.flatMap((paragraph) => {
    if (paragraph.kind !== 'heading') return [];
    const { start, end } = paragraph;
    for (; counted < start; counted += 1) if (isLineBreak(text, counted)) line += 1;
    const heading = headingText(paragraph, text);
    return heading === '' ? [] : [{ level: paragraph.depth ?? 1, text: heading, start, end, line }];
  });
}

/** Returns true at LF, CRLF or CR. */
function isLineBreak(text: string, at: number): boolean {
  return text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n');
}

/** Restores code and addresses, which the prose masks, without the markers around them. */
function headingText(paragraph: Paragraph, text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const mask of paragraph.masked) {
    parts.push(paragraph.prose.slice(at, mask.start));
    const original = text.slice(paragraph.start + mask.start, paragraph.start + mask.end);
    if (mask.reads.trim() !== '') parts.push(original.replace(/^(`+) ?([^]*?) ?\1$/u, '$2'));
    else if (mask.reads !== '') parts.push(' ');
    at = mask.end;
  }
  parts.push(paragraph.prose.slice(at));
  return parts.join('').replace(/\s+/gu, ' ').trim();
}
