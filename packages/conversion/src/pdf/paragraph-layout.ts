import { plainText, runsRightToLeft, type Alignment, type Inline } from '../rich-text/rich-text.js';
import { absoluteAddress, isImageData } from '../rich-text/safe-address.js';
import { layoutLines, measureLine, type ContentWidth, type Line } from './line-layout.js';
import type { Box } from './page-flow.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { marked, type Span, type TextStyle } from './text-style.js';

/** Returns the name of the place where a footnote begins. As a link, it starts with `#`. */
export function noteDestination(number: number): string {
  return `#footnote-${String(number)}`;
}

const LINE_HEIGHT = 1.45;
/** Position of the baseline, as a fraction of the line height. */
const BASELINE = 0.72;

/** How to set the text of a block. */
export interface Setting {
  style: TextStyle;
  width: number;
  alignment?: Alignment;
  /** Additional width of a landscape page. Missing if the page cannot be rotated, as in a table cell. */
  landscapeGain?: number;
}

/** Returns one box for each line of a paragraph. */
export function layoutParagraph(
  inlines: readonly Inline[],
  { style, width, alignment }: Setting,
  canvas: PdfCanvas,
): Box[] {
  const rightToLeft = runsRightToLeft(plainText(inlines));
  const align = alignment ?? (rightToLeft ? 'right' : 'left');
  return spansOf(inlines, style)
    .flatMap((spans) => {
      const lines = layoutLines(spans, width, rightToLeft, canvas);
      return lines.length > 0 ? lines : [{ pieces: [], width: 0, size: style.size }];
    })
    .map((line) => lineBox(line, { width, align }, canvas));
}

/** Returns the width of a paragraph. For `limit` see {@link measureLine}. */
export function measureParagraph(
  inlines: readonly Inline[],
  style: TextStyle,
  limit: number,
  canvas: PdfCanvas,
): ContentWidth {
  const rightToLeft = runsRightToLeft(plainText(inlines));
  return widest(
    spansOf(inlines, style).map((spans) => measureLine(spans, limit, rightToLeft, canvas)),
  );
}

/** Returns the width that fits all of them when stacked. */
export function widest(widths: readonly ContentWidth[]): ContentWidth {
  return widths.reduce(
    (most, { min, max }) => ({ min: Math.max(most.min, min), max: Math.max(most.max, max) }),
    { min: 0, max: 0 },
  );
}

/** Returns a line as a box. */
export function lineBox(
  line: Line,
  { width, align }: { width: number; align: 'left' | 'center' | 'right' },
  canvas: PdfCanvas,
): Box {
  const height = line.size * LINE_HEIGHT;
  const room = width - line.width;
  const offset = align === 'left' ? 0 : align === 'right' ? room : room / 2;
  return {
    height,
    paint: (left, y) => {
      let x = left + Math.max(0, offset);
      for (const piece of line.pieces) {
        canvas.draw(piece, x, y + height * BASELINE, piece.width);
        x += piece.width;
      }
    },
  };
}

/** Returns the spans of each line, split at the author's line breaks. */
function spansOf(inlines: readonly Inline[], style: TextStyle): Span[][] {
  const lines: Span[][] = [[]];
  for (const inline of inlines) {
    if (inline.kind === 'break') lines.push([]);
    else lines.at(-1)?.push(spanOf(inline, style));
  }
  return lines;
}

function spanOf(inline: Exclude<Inline, { kind: 'break' }>, style: TextStyle): Span {
  if (inline.kind === 'text') {
    const { link, ...marks } = inline.marks;
    const address = link === undefined ? undefined : absoluteAddress(link);
    return {
      text: inline.text,
      style: marked(style, address === undefined ? marks : { ...marks, link: address }),
    };
  }
  if (inline.kind === 'note') {
    const number = String(inline.number);
    const link = noteDestination(inline.number);
    return { text: number, style: { ...marked(style, { superscript: true }), link } };
  }
  // Images are not fetched: the alt text becomes a link to the image.
  const { source, description, link } = inline;
  const address = absoluteAddress(link ?? (isImageData(source) ? '' : source));
  const text = description === '' ? (address ?? 'image') : description;
  return { text, style: marked(style, { italic: true, ...(address ? { link: address } : {}) }) };
}
