import type { ChangeSet, Text } from '@codemirror/state';

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

  constructor(private readonly text: string) {
    this.isPlain = !text.includes('\r');
    this.usual = usualBreak(text);
    for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
      this.pairs.push(at - this.pairs.length);
    }
  }

  /**
   * Returns the edited text. `changes` lead from the original to `doc`. Untouched line breaks stay as they were; new
   * ones are of the most frequent kind.
   */
  after(changes: ChangeSet, doc: Text): string {
    if (this.isPlain) return doc.toString();
    const parts: string[] = [];
    let kept = 0;
    const add = (part: string) => {
      // A separate `\r` and `\n` would become one line break.
      if (part.startsWith('\n') && parts.at(-1)?.endsWith('\r')) parts.push('\n');
      if (part !== '') parts.push(part);
    };
    changes.iterChanges((from, to, fromDoc, toDoc) => {
      const before = withPlainLineBreaks(this.text.slice(this.offset(from), this.offset(to)));
      const typed = doc.sliceString(fromDoc, toDoc);
      // Text that was removed and restored, for example by undo, is unchanged.
      const shorter = Math.min(before.length, typed.length);
      const head = commonLength(shorter, (at) => before[at] === typed[at]);
      const tail = commonLength(shorter - head, (at) => before.at(-1 - at) === typed.at(-1 - at));
      add(this.text.slice(kept, this.offset(from + head)));
      add(typed.slice(head, typed.length - tail).replaceAll('\n', this.usual));
      kept = this.offset(to - tail);
    });
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

function commonLength(most: number, isSame: (index: number) => boolean): number {
  let length = 0;
  while (length < most && isSame(length)) length += 1;
  return length;
}

function usualBreak(text: string): '\n' | '\r\n' | '\r' {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [found] of text.matchAll(/\r\n|\r|\n/g)) counts[found as keyof typeof counts] += 1;
  const { '\n': lf, '\r\n': crlf, '\r': cr } = counts;
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}
