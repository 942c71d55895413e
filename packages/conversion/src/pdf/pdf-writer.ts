import PDFDocument from 'pdfkit';
import {
  oneLine,
  plainText,
  type Block,
  type Heading,
  type Inline,
  type RichText,
} from '../rich-text/rich-text.js';
import { BlockLayout } from './block-layout.js';
import { FontSet } from './font-set.js';
import { nothing, PageFlow, type PageArea } from './page-flow.js';
import { layoutParagraph } from './paragraph-layout.js';
import { layoutNotes } from './notes-layout.js';
import { PdfCanvas } from './pdf-canvas.js';
import { BODY, COLORS } from './text-style.js';
import { surveyText } from './text-survey.js';

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 62;
const FOOTER = 34;
const TITLE_SIZE = 23;
const MAX_OUTLINE_ITEMS = 2_000;

type Document = InstanceType<typeof PDFDocument>;
type OutlineItem = PDFKit.PDFOutline;

interface PdfOptions {
  /** Puts the title above the text. */
  showTitle: boolean;
  updatedAt: Date;
}

/** Writes a PDF with searchable text. Embeds fonts, reduced to the characters in use. */
export async function writePdf(
  title: string,
  { blocks, notes = [] }: RichText,
  { showTitle, updatedAt }: PdfOptions,
): Promise<Uint8Array> {
  const titleInlines: Inline[] = [{ kind: 'text', text: oneLine(title), marks: {} }];
  const titled: Block[] = [{ kind: 'heading', level: 1, inlines: titleInlines }];
  const { codePoints, styles } = surveyText([
    ...titled,
    ...blocks,
    ...notes.flatMap((note) => note.blocks),
  ]);
  const fonts = await FontSet.open(codePoints, styles);
  const document = newDocument(title, updatedAt);
  const written = collect(document);
  const canvas = new PdfCanvas(document, fonts);
  const pages = new Pages(canvas);
  const flow = new PageFlow((landscape) => pages.add(landscape));
  const outline = new Outline(document);
  const layout = new BlockLayout(canvas, (heading, y) => {
    outline.add(heading, y);
  });
  const setting = {
    style: BODY,
    width: PAGE.width - 2 * MARGIN,
    landscapeGain: PAGE.height - PAGE.width,
  };
  if (showTitle) {
    const style = { ...BODY, size: TITLE_SIZE, bold: true };
    for (const box of layoutParagraph(titleInlines, { ...setting, style }, canvas)) {
      flow.place({ ...box, keep: true });
    }
    flow.place(nothing(TITLE_SIZE * 0.6));
  }
  for (const [index, block] of blocks.entries()) {
    if (index > 0) flow.place(nothing(block.kind === 'heading' ? 16 : 8));
    for (const box of layout.layoutBlock(block, setting)) flow.place(box);
  }
  if (notes.length > 0)
    for (const box of layoutNotes(notes, layout, canvas, setting)) flow.place(box);
  flow.finish();
  canvas.finish();
  document.end();
  return written;
}

function newDocument(title: string, updatedAt: Date): Document {
  return new PDFDocument({
    // Only the page flow adds pages.
    autoFirstPage: false,
    // Loads no default font.
    font: '',
    displayTitle: true,
    info: {
      Title: oneLine(title),
      Creator: 'Document Service',
      CreationDate: updatedAt,
      ModDate: updatedAt,
    },
  });
}

function collect(document: Document): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    document.once('error', reject);
  });
}

/** Adds numbered pages. */
class Pages {
  private count = 0;

  constructor(private readonly canvas: PdfCanvas) {}

  add(landscape: boolean): PageArea {
    const { document } = this.canvas;
    document.addPage({ size: 'A4', layout: landscape ? 'landscape' : 'portrait', margin: 0 });
    this.count += 1;
    const { width, height } = document.page;
    this.number(width, height);
    return { left: MARGIN, top: MARGIN, bottom: height - MARGIN };
  }

  private number(width: number, height: number): void {
    const style = { ...BODY, size: 8.5, color: COLORS.muted };
    const face = this.canvas.faceFor(0x30, style);
    const piece = { text: String(this.count), face, style, level: 0 };
    const wide = this.canvas.width(piece);
    this.canvas.draw(piece, (width - wide) / 2, height - FOOTER, wide);
  }
}

/** Builds the PDF outline from the headings. */
class Outline {
  private readonly open: { level: number; item: OutlineItem }[] = [];
  private count = 0;

  constructor(private readonly document: Document) {}

  add({ level, inlines }: Heading, y: number): void {
    const text = oneLine(plainText(inlines));
    this.count += 1;
    if (text === '' || this.count > MAX_OUTLINE_ITEMS) return;
    while ((this.open.at(-1)?.level ?? 0) >= level) this.open.pop();
    const parent = this.open.at(-1)?.item ?? this.document.outline;
    const place = { top: y, left: this.document.page.width };
    this.open.push({ level, item: parent.addItem(text, place as object) });
  }
}
