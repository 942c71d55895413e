import type { Footnote } from '../rich-text/rich-text.js';
import type { BlockLayout } from './block-layout.js';
import { nothing, type Box } from './page-flow.js';
import type { Setting } from './paragraph-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { BODY, COLORS } from './text-style.js';

const SIZE = 9;
const LINE_WIDTH = 140;
const GAP = 4;

/** Yields the footnotes as boxes, below a short line. They are at the end of the document. */
export function* layoutNotes(
  notes: readonly Footnote[],
  layout: BlockLayout,
  canvas: PdfCanvas,
  setting: Setting,
): Generator<Box> {
  yield nothing(24);
  yield {
    height: 10,
    keep: true,
    paint: (x, y) => {
      canvas.line(x, y, x + LINE_WIDTH, y, COLORS.line);
    },
  };
  const small = { ...setting, style: { ...BODY, size: SIZE } };
  for (const [index, { blocks }] of notes.entries()) {
    if (index > 0) yield nothing(GAP);
    yield* layout.layoutNote(blocks, index + 1, small);
  }
}
