import { plainText, runsRightToLeft, type ListItem } from '../rich-text/rich-text.js';
import { layoutLines, type Line } from './line-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { scaled, type TextStyle } from './text-style.js';

const MIN_INDENT = 20;
const GAP = 6;

/** The marker before a list item. */
interface ListMarker {
  line: Line;
  /** Space between the marker and the text. */
  gap: number;
  /** Indentation of the text. */
  indent: number;
  onTheRight: boolean;
}

/** Returns a bullet, checkbox or number. */
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
