import { changesBetween } from './text-changes.js';

/** Returns the text with the line breaks of the editor, `\n` only. */
export function withPlainLineBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Returns the position in the editor for an offset in the text. */
export function editorPosition(text: string, offset: number): number {
  if (!text.includes('\r\n')) return offset;
  let position = offset;
  for (let at = text.indexOf('\r\n'); at !== -1 && at < offset; at = text.indexOf('\r\n', at + 2)) {
    position -= 1;
  }
  return position;
}

/** The original text with its line breaks. The editor holds a copy with `\n` only. */
export class OriginalText {
  /** Editor positions of line breaks with two characters in the original. */
  private readonly pairs: number[] = [];
  private readonly isPlain: boolean;
  private readonly usual: string;
  /** The text in the editor before any edit. */
  private readonly plain: string;

  constructor(private readonly text: string) {
    this.isPlain = !text.includes('\r');
    this.plain = withPlainLineBreaks(text);
    this.usual = usualBreak(text);
    for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
      this.pairs.push(at - this.pairs.length);
    }
  }

  /**
   * Returns the edited text with the line breaks of the original. Untouched line breaks stay as they were; new ones are
   * of the most frequent kind.
   */
  after(edited: string): string {
    if (this.isPlain) return edited;
    const parts: string[] = [];
    let kept = 0;
    const add = (part: string) => {
      // A separate `\r` and `\n` would become one line break.
      if (part.startsWith('\n') && parts.at(-1)?.endsWith('\r')) parts.push('\n');
      if (part !== '') parts.push(part);
    };
    for (const { from, to, insert } of changesBetween(this.plain, edited)) {
      add(this.text.slice(kept, this.offset(from)));
      add(insert.replaceAll('\n', this.usual));
      kept = this.offset(to);
    }
    add(this.text.slice(kept));
    return parts.join('');
  }

  /** Returns the offset in this text of a position in the editor. */
  private offset(position: number): number {
    let [low, high] = [0, this.pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pairs[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return position + low;
  }
}

function usualBreak(text: string): '\n' | '\r\n' | '\r' {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [found] of text.matchAll(/\r\n|\r|\n/g)) counts[found as keyof typeof counts] += 1;
  const { '\n': lf, '\r\n': crlf, '\r': cr } = counts;
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}
