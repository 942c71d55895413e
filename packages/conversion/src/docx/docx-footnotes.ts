import {
  Bookmark,
  FootnoteReferenceRun,
  InternalHyperlink,
  Paragraph,
  TextRun,
  type FileChild,
  type IPropertiesOptions,
  type ParagraphChild,
} from 'docx';
import { text, type Block, type Footnote, type Inline } from '../rich-text/rich-text.js';

/** Name of the bookmark around the reference of a footnote. The reader recognizes it. */
const BOOKMARK = 'Footnote';

type WrittenNotes = NonNullable<IPropertiesOptions['footnotes']>;

/**
 * Writes Word footnotes. Word allows one reference per footnote and none inside footnotes, so further references link to the
 * first one, and a footnote that only another footnote cites is written below that one.
 */
export class DocxFootnotes {
  private readonly referred = new Set<number>();
  /** Footnotes that only footnotes refer to. */
  private nested: number[] = [];
  private isInNotes = false;

  constructor(private readonly notes: readonly Footnote[]) {}

  /** Returns a reference to the footnote of this number. */
  refer(number: number): ParagraphChild {
    if (this.referred.has(number)) return linkTo(number);
    this.referred.add(number);
    if (!this.isInNotes)
      return new Bookmark({ id: bookmarkOf(number), children: [new FootnoteReferenceRun(number)] });
    this.nested.push(number);
    return new TextRun({ text: String(number), superScript: true });
  }

  /** Writes the footnotes. Call this after the text has been written. */
  write(writeBlocks: (blocks: readonly Block[]) => FileChild[]): WrittenNotes {
    this.isInNotes = true;
    const inText = [...this.referred];
    return Object.fromEntries(
      inText.map((number) => [String(number), { children: this.writeNote(number, writeBlocks) }]),
    );
  }

  private writeNote(
    number: number,
    writeBlocks: (blocks: readonly Block[]) => FileChild[],
  ): Paragraph[] {
    const written = writeBlocks(begunWith([text(' ')], this.blocksOf(number)));
    while (this.nested.length > 0) {
      const [next = 0, ...others] = this.nested;
      this.nested = others;
      const mark = [text(String(next), { superscript: true }), text(' ')];
      written.push(...writeBlocks(begunWith(mark, this.blocksOf(next))));
    }
    // Tables are allowed, whatever the type says, but not at the end.
    if (!(written.at(-1) instanceof Paragraph)) written.push(new Paragraph({}));
    return written as Paragraph[];
  }

  private blocksOf(number: number): readonly Block[] {
    return this.notes[number - 1]?.blocks ?? [];
  }
}

function linkTo(number: number): ParagraphChild {
  const run = new TextRun({ text: String(number), superScript: true });
  return new InternalHyperlink({ anchor: bookmarkOf(number), children: [run] });
}

function bookmarkOf(number: number): string {
  return BOOKMARK + String(number);
}

/** Puts inlines before the first text of blocks. */
function begunWith(inlines: readonly Inline[], blocks: readonly Block[]): Block[] {
  const [first, ...others] = blocks;
  return first?.kind === 'paragraph'
    ? [{ ...first, inlines: [...inlines, ...first.inlines] }, ...others]
    : [{ kind: 'paragraph', inlines: [...inlines] }, ...blocks];
}
