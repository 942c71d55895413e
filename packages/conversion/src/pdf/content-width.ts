import type { Block, List, Table } from '../rich-text/rich-text.js';
import { measureLine, type ContentWidth } from './line-layout.js';
import { markerOf } from './list-marker.js';
import { measureParagraph, widest } from './paragraph-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { codeStyle, headingStyle, scaled, type TextStyle } from './text-style.js';

/** Points, at body size. */
export const QUOTE_INDENT = 14;
export const CODE_PADDING = 6;
export const CELL_PADDING = 5;
/** Minimum width of indented content. */
export const MIN_WIDTH = 40;
const MIN_COLUMN = 10;
/** Points added so measured text still fits when it is set. */
const ROUNDING = 0.5;

/** Measures the content of tables. `limit` is the maximum width: wider words are broken. */
export class ContentMeasure {
  constructor(private readonly canvas: PdfCanvas) {}

  /** Returns the widths of a table's columns, including cell padding. */
  columns({ headed, rows, alignments }: Table, style: TextStyle, limit: number): ContentWidth[] {
    const padding = 2 * scaled(CELL_PADDING, style) + ROUNDING;
    const empty = atLeast(scaled(MIN_COLUMN, style));
    return alignments.map((_, column) => {
      const cells = rows.map((row, index) => {
        const bold = style.bold || (headed && index === 0);
        return this.blocks(row[column]?.blocks ?? [], { ...style, bold }, limit - padding);
      });
      const { min, max } = wider(widest([empty, ...cells]), padding);
      return { min: Math.min(min, limit), max };
    });
  }

  private blocks(blocks: readonly Block[], style: TextStyle, limit: number): ContentWidth {
    return widest(blocks.map((block) => this.block(block, style, limit)));
  }

  private block(block: Block, style: TextStyle, limit: number): ContentWidth {
    switch (block.kind) {
      case 'paragraph':
        return measureParagraph(block.inlines, style, limit, this.canvas);
      case 'heading':
        return measureParagraph(
          block.inlines,
          headingStyle(style, block.level),
          limit,
          this.canvas,
        );
      case 'quote':
        return movedIn(scaled(QUOTE_INDENT, style), style, limit, (rest) =>
          this.blocks(block.blocks, style, rest),
        );
      case 'list':
        return this.list(block, style, limit);
      case 'code':
        return movedIn(2 * scaled(CODE_PADDING, style), style, limit, (rest) =>
          this.code(block.text, codeStyle(style), rest),
        );
      case 'table':
        return this.table(block, style, limit);
      case 'rule':
        return atLeast(0);
    }
  }

  private list({ start, items }: List, style: TextStyle, limit: number): ContentWidth {
    const widths = items.map((item, index) => {
      const number = start === undefined ? undefined : start + index;
      const { indent } = markerOf(item, number, style, this.canvas);
      return movedIn(indent, style, limit, (rest) => this.blocks(item.blocks, style, rest));
    });
    return widest(widths);
  }

  private code(code: string, style: TextStyle, limit: number): ContentWidth {
    const lines = code.split('\n');
    return widest(lines.map((text) => measureLine([{ text, style }], limit, false, this.canvas)));
  }

  /** Measures a table in a cell. It is split if no cell can hold all its columns. */
  private table(table: Table, style: TextStyle, limit: number): ContentWidth {
    const columns = this.columns(table, style, limit);
    const min = columns.reduce((total, column) => total + column.min, 0);
    const max = columns.reduce((total, column) => total + column.max, 0);
    return min <= limit ? { min, max } : widest(columns);
  }
}

/** Returns the width of content that is indented by `by` points. */
function movedIn(
  by: number,
  style: TextStyle,
  limit: number,
  measure: (limit: number) => ContentWidth,
): ContentWidth {
  return wider(widest([atLeast(scaled(MIN_WIDTH, style)), measure(limit - by)]), by);
}

function atLeast(width: number): ContentWidth {
  return { min: width, max: width };
}

function wider({ min, max }: ContentWidth, by: number): ContentWidth {
  return { min: min + by, max: max + by };
}
