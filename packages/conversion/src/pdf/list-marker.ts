import { plainText, runsRightToLeft, type ListItem } from '../rich-text/rich-text.js';
import { layoutLines, type Line } from './line-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { scaled, type TextStyle } from './text-style.js';

const MIN_INDENT = 20;
const GAP = 6;

/** What stands before an item of a list. */
interface ListMarker {
  line: Line;
  /** Between the marker and the text. */
  gap: number;
  /** By how much the text is moved in. */
  indent: number;
  onTheRight: boolean;
}

/** A bullet, a box or the number. */
export function markerOf(
  { blocks, checked }: ListItem,
  number: number | undefined,
  style: TextStyle,
  canvas: PdfCanvas,
): ListMarker {
  const [first] = blocks;
  const onTheRight = first?.kind === 'paragraph' && runsRightToLeft(plainText(first.inlines));
  const mark = number === undefined ? '•' : `${String(number)}.`;
  const text = checked === undefined ? mark : checked ? '☑' : '☐';
  const plain = { ...style, bold: false, italic: false };
  const [line] = layoutLines([{ text, style: plain }], Infinity, onTheRight, canvas);
  const shown = line ?? { pieces: [], width: 0, size: style.size };
  const gap = scaled(GAP, style);
  return {
    line: shown,
    gap,
    indent: Math.max(scaled(MIN_INDENT, style), shown.width + gap),
    onTheRight,
  };
}
