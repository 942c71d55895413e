import type { Block, Code, Heading, List, ListItem } from '../rich-text/rich-text.js';
import { CODE_PADDING, MIN_WIDTH, QUOTE_INDENT } from './content-width.js';
import { layoutLines } from './line-layout.js';
import { markerOf } from './list-marker.js';
import { nothing, repainted, type Box } from './page-flow.js';
import { layoutParagraph, lineBox, noteDestination, type Setting } from './paragraph-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { layoutTable } from './table-layout.js';
import {
  codeStyle,
  COLORS,
  headingStyle,
  scaled,
  type Span,
  type TextStyle,
} from './text-style.js';

/** Points, at body size. */
const GAP = 7;

/** Lays out blocks as boxes, each followed by a space. */
export class BlockLayout {
  constructor(
    private readonly canvas: PdfCanvas,
    /** Called for each heading when it is painted. */
    private readonly onHeading: (heading: Heading, y: number) => void,
  ) {}

  readonly layout = (blocks: readonly Block[], setting: Setting): Box[] =>
    blocks.flatMap((block, index) => {
      const space = scaled(block.kind === 'heading' ? GAP * 2 : GAP, setting.style);
      const gap = index === 0 ? [] : [nothing(space)];
      return [...gap, ...this.layoutBlock(block, setting)];
    });

  /** Returns the boxes of one block. */
  layoutBlock(block: Block, setting: Setting): Iterable<Box> {
    switch (block.kind) {
      case 'paragraph':
        return layoutParagraph(block.inlines, setting, this.canvas);
      case 'heading':
        return this.layoutHeading(block, setting);
      case 'quote':
        return this.layoutQuote(block.blocks, setting);
      case 'list':
        return this.layoutList(block, setting);
      case 'code':
        return this.layoutCode(block, setting);
      case 'table':
        return layoutTable(block, setting, this.canvas, this.layout);
      case 'rule':
        return [this.rule(setting)];
    }
  }

  /** Returns the boxes of a footnote. It begins at a place that its references lead to. */
  layoutNote(blocks: Block[], number: number, setting: Setting): Box[] {
    const boxes = this.layoutItem({ blocks }, number, setting);
    return boxes.map((box, index) => ({
      ...box,
      paint: (x, y) => {
        if (index === 0) this.canvas.markPlace(noteDestination(number), x, y);
        box.paint(x, y);
      },
    }));
  }

  private layoutHeading(heading: Heading, { style, ...setting }: Setting): Box[] {
    const lines = layoutParagraph(
      heading.inlines,
      { ...setting, style: headingStyle(style, heading.level) },
      this.canvas,
    );
    return lines.map((box, index) => ({
      ...box,
      keep: true,
      paint: (x, y) => {
        if (index === 0) this.onHeading(heading, y);
        box.paint(x, y);
      },
    }));
  }

  private layoutQuote(blocks: readonly Block[], setting: Setting): Box[] {
    const { style } = setting;
    const width = narrower(setting, scaled(QUOTE_INDENT, style));
    const muted = { ...style, color: COLORS.muted };
    return this.layout(blocks, { ...setting, width, style: muted }).map((inner) =>
      repainted(inner, (box, x, y) => {
        this.canvas.fill(x, y, scaled(2.5, style), box.height, COLORS.line);
        box.paint(x + setting.width - width, y);
      }),
    );
  }

  private layoutList({ start, items }: List, setting: Setting): Box[] {
    return items.flatMap((item, index) => {
      const gap = index === 0 ? [] : [nothing(scaled(GAP / 2, setting.style))];
      const number = start === undefined ? undefined : start + index;
      return [...gap, ...this.layoutItem(item, number, setting)];
    });
  }

  private layoutItem(item: ListItem, number: number | undefined, setting: Setting): Box[] {
    const { line, gap, indent, onTheRight } = markerOf(item, number, setting.style, this.canvas);
    const width = narrower(setting, indent);
    const marker = lineBox(line, { width: line.width, align: 'left' }, this.canvas);
    const boxes = this.layout(item.blocks, { ...setting, width });
    if (boxes.length === 0) boxes.push({ height: marker.height, paint: () => undefined });
    const shift = onTheRight ? 0 : setting.width - width;
    const markAt = onTheRight ? width + gap : shift - line.width - gap;
    return boxes.map((inner, index) =>
      repainted(inner, (box, x, y) => {
        if (index === 0) marker.paint(x + Math.max(0, markAt), y);
        box.paint(x + shift, y);
      }),
    );
  }

  private layoutCode({ text }: Code, setting: Setting): Box[] {
    const code = codeStyle(setting.style);
    const inset = scaled(CODE_PADDING, setting.style);
    const width = narrower(setting, 2 * inset);
    const lines = text.split('\n').flatMap((line): Box[] => {
      const spans: Span[] = [{ text: line === '' ? ' ' : line, style: code }];
      return layoutLines(spans, width, false, this.canvas).map((one) =>
        lineBox({ ...one, size: code.size }, { width, align: 'left' }, this.canvas),
      );
    });
    const padding: Box = { height: inset, paint: () => undefined };
    return [padding, ...lines, padding].map((box) => ({
      ...box,
      paint: (x, y) => {
        this.canvas.fill(x, y - 0.2, setting.width, box.height + 0.4, COLORS.shade);
        box.paint(x + inset, y);
      },
    }));
  }

  private rule({ style, width }: Setting): Box {
    const gap = scaled(GAP, style);
    return {
      height: gap * 2,
      paint: (x, y) => {
        this.canvas.line(x, y + gap, x + width, y + gap, COLORS.line);
      },
    };
  }
}

/** Returns the width left after indentation. */
function narrower({ width, style }: { width: number; style: TextStyle }, by: number): number {
  return Math.max(Math.min(width, scaled(MIN_WIDTH, style)), width - by);
}
