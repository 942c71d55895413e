/**
 * Formatted text as a tree. All readers return it, and all writers accept it. It contains only what every format can
 * show, and nothing that could run code, load content or style itself.
 */
export interface RichText {
  /** The title in the source's metadata, as opposed to headings. */
  title?: string | undefined;
  blocks: Block[];
  /** Footnotes by number, the first one at index 0, in the order in which the text refers to them. */
  notes?: Footnote[];
}

export interface Footnote {
  blocks: Block[];
  /** How many inlines refer to it, at least 1. */
  references: number;
}

export type Block = Paragraph | Heading | Quote | List | Code | Table | Rule;

interface Paragraph {
  kind: 'paragraph';
  inlines: Inline[];
}

export interface Heading {
  kind: 'heading';
  /** 1 to 6. */
  level: number;
  inlines: Inline[];
}

interface Quote {
  kind: 'quote';
  blocks: Block[];
}

export interface List {
  kind: 'list';
  /** Number of the first item. Undefined for bullets. */
  start: number | undefined;
  items: ListItem[];
}

export interface ListItem {
  blocks: Block[];
  /** Set for tasks: true if done. */
  checked?: boolean;
}

export interface Code {
  kind: 'code';
  language: string;
  text: string;
}

export type Alignment = 'left' | 'center' | 'right' | undefined;

export interface Table {
  kind: 'table';
  /** True if the first row is a header. */
  headed: boolean;
  /** Alignment of each column. */
  alignments: Alignment[];
  /** Every row has one cell per column. */
  rows: TableCell[][];
}

export interface TableCell {
  blocks: Block[];
}

interface Rule {
  kind: 'rule';
}

export type Inline = TextRun | LineBreak | Image | NoteReference;

export interface TextRun {
  kind: 'text';
  /** Without line breaks. */
  text: string;
  marks: Marks;
}

export interface Marks {
  bold?: true;
  italic?: true;
  strike?: true;
  underline?: true;
  code?: true;
  subscript?: true;
  superscript?: true;
  /** An address that is safe to follow. */
  link?: string;
}

interface LineBreak {
  kind: 'break';
}

/** A reference to a footnote. */
export interface NoteReference {
  kind: 'note';
  /** Number of the footnote, from 1. */
  number: number;
  /** 1 for the first reference to this footnote. */
  occurrence: number;
}

/** An image by address. Images are never fetched. */
export interface Image {
  kind: 'image';
  source: string;
  description: string;
  /** Link target of the image. */
  link?: string;
}

/** Maximum nesting of blocks. Deeper blocks are placed at the last level. */
export const MAX_NESTING = 20;

export function sameMarks(one: Marks, other: Marks): boolean {
  return (
    one.bold === other.bold &&
    one.italic === other.italic &&
    one.strike === other.strike &&
    one.underline === other.underline &&
    one.code === other.code &&
    one.subscript === other.subscript &&
    one.superscript === other.superscript &&
    one.link === other.link
  );
}

/** Returns the text of inlines without formatting and footnotes. An image counts as its description. */
export function plainText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.kind === 'text') return inline.text;
      if (inline.kind === 'note') return '';
      return inline.kind === 'break' ? ' ' : inline.description;
    })
    .join('');
}

/** Returns the text of the first non-empty heading. */
export function firstHeading(blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'heading') continue;
    const text = oneLine(plainText(block.inlines));
    if (text !== '') return text;
  }
  return undefined;
}

/** Returns text on one line, trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the inlines of blocks, line by line, for table cells that can only hold inlines. */
export function inlinesOf(blocks: readonly Block[]): Inline[] {
  const lines = blocks.flatMap(linesOf);
  return lines.flatMap((line, index) => (index === 0 ? line : [{ kind: 'break' }, ...line]));
}

function linesOf(block: Block): Inline[][] {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [block.inlines];
    case 'quote':
      return block.blocks.flatMap(linesOf);
    case 'list':
      return block.items.flatMap(({ blocks }, index) => {
        const bullet = block.start === undefined ? '• ' : `${String(block.start + index)}. `;
        const [first = [], ...rest] = blocks.flatMap(linesOf);
        return [[text(bullet), ...first], ...rest];
      });
    case 'code':
      return block.text.split('\n').map((line) => [text(line, { code: true })]);
    case 'table':
      return block.rows.map((row) =>
        row.flatMap(({ blocks }, index) => [
          ...(index === 0 ? [] : [text(' | ')]),
          ...inlinesOf(blocks),
        ]),
      );
    case 'rule':
      return [];
  }
}

export function text(content: string, marks: Marks = {}): TextRun {
  return { kind: 'text', text: content, marks };
}

const STRONG = /[\p{L}\p{Nl}]/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** Returns true if the first letter is of a right-to-left script. */
export function runsRightToLeft(text: string): boolean {
  const first = STRONG.exec(text)?.[0];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}

/** Returns true if any character runs right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}
