import {
  AlignmentType,
  Document,
  HeadingLevel,
  Packer,
  Paragraph,
  Tab,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
  type FileChild,
  type IParagraphOptions,
} from 'docx';
import {
  plainText,
  runsRightToLeft,
  type Alignment,
  type Block,
  type Inline,
  type List,
  type RichText,
  type Table as RichTable,
} from '../rich-text/rich-text.js';
import { writeInlines, xmlText } from './docx-inlines.js';
import { DocxFootnotes } from './docx-footnotes.js';
import { DocxNumbering, INDENT, type Numbering } from './docx-numbering.js';
import { DOCX_STYLES, STYLE_IDS } from './docx-styles.js';

/** Width between the margins of a page, in twentieths of a point. */
const PAGE_WIDTH = 9_026;

/** Maximum number of columns that Word reads. */
const MAX_COLUMNS = 63;

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;

/** Writes a DOCX document. `showTitle` puts the title above the text. */
export async function writeDocx(
  title: string,
  { blocks, notes = [] }: RichText,
  { showTitle }: { showTitle: boolean },
): Promise<Uint8Array> {
  const footnotes = new DocxFootnotes(notes);
  const writer = new BlockWriter(footnotes);
  const titled: FileChild[] = showTitle
    ? [
        new Paragraph({
          heading: HeadingLevel.TITLE,
          bidirectional: runsRightToLeft(title),
          children: [new TextRun({ text: xmlText(title), rightToLeft: runsRightToLeft(title) })],
        }),
      ]
    : [];
  const children = [...titled, ...writer.write(blocks, OUTERMOST)];
  const document = new Document({
    title: xmlText(title),
    creator: 'Document Service',
    styles: DOCX_STYLES,
    footnotes: footnotes.write((noteBlocks) => writer.write(noteBlocks, IN_NOTE)),
    numbering: { config: writer.numbering.config() },
    sections: [{ children }],
  });
  return Packer.toBuffer(document);
}

/** Context that a block inherits. */
interface Surroundings {
  /** Paragraph indentation, in twentieths of a point. */
  indent: number;
  /** Number of lists that contain the block. */
  listLevel: number;
  quoted: boolean;
  alignment?: Alignment;
  inTableHeader?: boolean;
  inNote?: boolean;
}

const IN_NOTE: Surroundings = { indent: 0, listLevel: 0, quoted: false, inNote: true };
const OUTERMOST: Surroundings = { indent: 0, listLevel: 0, quoted: false };

class BlockWriter {
  readonly numbering = new DocxNumbering();

  constructor(private readonly footnotes: DocxFootnotes) {}

  /** Writes blocks. `numbering` marks the first paragraph as the start of an item. */
  write(blocks: readonly Block[], around: Surroundings, numbering?: Numbering): FileChild[] {
    const written: FileChild[] = [];
    let mark = numbering;
    // An item that does not start with a paragraph needs an empty one for its number.
    if (mark && !['paragraph', 'heading'].includes(blocks[0]?.kind ?? '')) {
      written.push(this.paragraph([], around, { numbering: mark }));
      mark = undefined;
    }
    for (const [index, block] of blocks.entries()) {
      // Word joins adjacent tables.
      if (block.kind === 'table' && blocks[index - 1]?.kind === 'table')
        written.push(new Paragraph({}));
      for (const child of this.writeBlock(block, around, mark)) written.push(child);
      mark = undefined;
    }
    return written;
  }

  private writeBlock(block: Block, around: Surroundings, numbering?: Numbering): FileChild[] {
    const marked = numbering ? { numbering } : {};
    switch (block.kind) {
      case 'paragraph':
        return [this.paragraph(block.inlines, around, marked)];
      case 'heading':
        return [
          this.paragraph(block.inlines, around, { ...marked, heading: HEADINGS[block.level - 1] }),
        ];
      case 'quote':
        return this.write(block.blocks, {
          ...around,
          indent: around.indent + INDENT,
          quoted: true,
        });
      case 'list':
        return this.writeList(block, around);
      case 'code':
        return [codeParagraph(block.text, around)];
      case 'table':
        return partsOf(block).flatMap((part, index) => [
          ...(index === 0 ? [] : [new Paragraph({})]),
          this.writeTable(part, around),
        ]);
      case 'rule':
        return [new Paragraph({ thematicBreak: true })];
    }
  }

  private writeList({ start, items }: List, around: Surroundings): FileChild[] {
    const numbering = this.numbering.begin(start, around.listLevel);
    const inside = {
      ...around,
      listLevel: around.listLevel + 1,
      indent: Math.max(around.indent, INDENT * around.listLevel) + INDENT,
    };
    return items.flatMap(({ blocks, checked }) =>
      this.write(checked === undefined ? blocks : withBox(blocks, checked), inside, numbering),
    );
  }

  private writeTable({ headed, rows, alignments }: RichTable, around: Surroundings): Table {
    const width = Math.max(200, Math.floor((PAGE_WIDTH - around.indent) / alignments.length));
    return new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      columnWidths: alignments.map(() => width),
      rows: rows.map(
        (cells, row) =>
          new TableRow({
            ...(headed && row === 0 ? { tableHeader: true } : {}),
            children: cells.map(
              ({ blocks }, column) =>
                new TableCell({
                  margins: { top: 40, bottom: 40, left: 80, right: 80 },
                  children: this.writeCell(blocks, {
                    ...OUTERMOST,
                    alignment: alignments[column],
                    inTableHeader: headed && row === 0,
                  }),
                }),
            ),
          }),
      ),
    });
  }

  /** Ends the cell with a paragraph, without which Word reports the document as damaged. */
  private writeCell(blocks: readonly Block[], around: Surroundings): (Paragraph | Table)[] {
    const written = this.write(blocks, around) as (Paragraph | Table)[];
    return written.at(-1) instanceof Paragraph ? written : [...written, new Paragraph({})];
  }

  private paragraph(
    inlines: readonly Inline[],
    { indent, quoted, alignment, inTableHeader, inNote }: Surroundings,
    options: Partial<IParagraphOptions>,
  ): Paragraph {
    const style = quoted
      ? STYLE_IDS.quote
      : inTableHeader
        ? STYLE_IDS.tableHeader
        : // mammoth takes items of this style out of their list.
          inNote && options.numbering === undefined
          ? STYLE_IDS.footnote
          : undefined;
    return new Paragraph({
      ...(style && options.heading === undefined ? { style } : {}),
      ...(indent > 0 && options.numbering === undefined ? { indent: { left: indent } } : {}),
      ...(alignment ? { alignment: AlignmentType[alignmentName(alignment)] } : {}),
      ...(runsRightToLeft(plainText(inlines)) ? { bidirectional: true } : {}),
      ...options,
      children: writeInlines(inlines, (number) => this.footnotes.refer(number)),
    });
  }
}

/** Splits a wide table into tables that Word can read. Each starts with the first column, as in a PDF. */
function partsOf(table: RichTable): RichTable[] {
  const columns = table.alignments.length;
  if (columns <= MAX_COLUMNS) return [table];
  const others = MAX_COLUMNS - 1;
  return Array.from({ length: Math.ceil((columns - 1) / others) }, (_, part) => {
    const start = 1 + part * others;
    const pick = <T>(all: T[]): T[] => [...all.slice(0, 1), ...all.slice(start, start + others)];
    return { ...table, alignments: pick(table.alignments), rows: table.rows.map(pick) };
  });
}

function alignmentName(alignment: NonNullable<Alignment>): 'LEFT' | 'CENTER' | 'RIGHT' {
  return alignment === 'left' ? 'LEFT' : alignment === 'center' ? 'CENTER' : 'RIGHT';
}

function codeParagraph(text: string, { indent }: Surroundings): Paragraph {
  const lines = text.split('\n').map(xmlText);
  return new Paragraph({
    style: STYLE_IDS.code,
    indent: { left: indent },
    children: lines.map(
      (line, index) => new TextRun({ children: tabbed(line), ...(index > 0 ? { break: 1 } : {}) }),
    ),
  });
}

/** Replaces tabs with elements, as DOCX requires. */
function tabbed(line: string): (string | Tab)[] {
  return line.split('\t').flatMap((part, index) => (index === 0 ? [part] : [new Tab(), part]));
}

function withBox(blocks: readonly Block[], checked: boolean): Block[] {
  const box: Inline = { kind: 'text', text: checked ? '☑ ' : '☐ ', marks: {} };
  const [first, ...rest] = blocks;
  return first?.kind === 'paragraph'
    ? [{ ...first, inlines: [box, ...first.inlines] }, ...rest]
    : [{ kind: 'paragraph', inlines: [box] }, ...blocks];
}
