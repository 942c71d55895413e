import { applyEdits, type Edit } from '@document-service/text-merge/text-edits';
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

type LineBreak = '\n' | '\r\n' | '\r';

/** A text with its own line breaks. The editor holds a copy with `\n` only. */
export class OriginalText {
  /** The copy before any edit. */
  private readonly original: string;
  private readonly originalBreaks: readonly LineBreak[];
  private readonly usual: LineBreak;
  /** The copy now. */
  private edited: string;
  private breaks: readonly LineBreak[];

  constructor(text: string) {
    this.original = this.edited = withPlainLineBreaks(text);
    const isPlain = !text.includes('\r');
    this.originalBreaks = this.breaks = isPlain ? [] : breaksOf(text);
    this.usual = usualBreak(this.breaks);
  }

  /**
   * Takes the edited text of the editor. `edits` lead to it from the former one, if they are known. Untouched line
   * breaks stay as they were. Others are those of the original at the same place, as after undo, or else of the most
   * frequent kind.
   */
  change(edited: string, edits?: readonly Edit[]): void {
    const { original, originalBreaks, usual } = this;
    if (originalBreaks.length > 0) {
      const isKnown = edits && applyEdits(this.edited, edits) === edited;
      const changes = isKnown ? edits : changesBetween(this.edited, edited);
      let breaks = breaksAfter(this.edited, this.breaks, changes);
      if (edited === original || breaks.includes(undefined)) {
        const restored = breaksAfter(original, originalBreaks, changesBetween(original, edited));
        breaks =
          edited === original ? restored : breaks.map((kind, index) => kind ?? restored[index]);
      }
      this.breaks = breaks.map((kind) => kind ?? usual);
    }
    this.edited = edited;
  }

  /** Returns the edited text with its line breaks. */
  get text(): string {
    const { edited, breaks } = this;
    if (breaks.every((kind) => kind === '\n')) return edited;
    const lines = edited.split('\n');
    return lines
      .map((line, index) => {
        const kind = index < lines.length - 1 ? breaks[index] : '';
        // A separate `\r` and `\n` would become one line break.
        const joins = kind === '\r' && lines[index + 1] === '' && breaks[index + 1] === '\n';
        return line + (joins ? '\r\n' : (kind ?? ''));
      })
      .join('');
  }
}

function breaksOf(text: string): LineBreak[] {
  return [...text.matchAll(/\r\n|\r|\n/g)].map(([found]) => found as LineBreak);
}

/** Returns the line breaks after edits of a text with `\n` only, or undefined for those that were inserted. */
function breaksAfter(
  text: string,
  breaks: readonly LineBreak[],
  edits: readonly Edit[],
): (LineBreak | undefined)[] {
  const parts: (LineBreak | undefined)[][] = [];
  let [at, index] = [0, 0];
  for (const { from, to, insert } of edits) {
    const end = index + count(text.slice(at, from));
    parts.push(breaks.slice(index, end), new Array<undefined>(count(insert)).fill(undefined));
    index = end + count(text.slice(from, to));
    at = to;
  }
  return [...parts.flat(), ...breaks.slice(index)];
}

/** Returns the number of line breaks. */
function count(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

function usualBreak(breaks: readonly LineBreak[]): LineBreak {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const found of breaks) counts[found] += 1;
  const { '\n': lf, '\r\n': crlf, '\r': cr } = counts;
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}
