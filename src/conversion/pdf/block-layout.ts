import {
  plainText,
  type Block,
  type Code,
  type Heading,
  type List,
  type ListItem,
} from '../rich-text/rich-text.js';
import { runsRightToLeft } from '../rich-text/text-direction.js';
import { layoutLines } from './line-layout.js';
import { nothing, type Box } from './page-flow.js';
import { layoutParagraph, lineBox, type Setting } from './paragraph-layout.js';
import type { PdfCanvas } from './pdf-canvas.js';
import { layoutTable } from './table-layout.js';
import { COLORS, type Span } from './text-style.js';

const HEADING_SIZES = [19, 16, 13.5, 12, 11, 10.5];
const LIST_INDENT = 20;
const QUOTE_INDENT = 14;
const CODE_PADDING = 6;
const GAP = 7;
/** Narrower than this nothing is set, however deep it nests. */
const MIN_WIDTH = 60;

/** Lays blocks out as boxes, a space after each. */
export class BlockLayout {
  constructor(
    private readonly canvas: PdfCanvas,
    /** Is told of each heading when it is painted. */
    private readonly onHeading: (heading: Heading, y: number) => void,
  ) {}

  readonly layout = (blocks: readonly Block[], setting: Setting): Box[] =>
    blocks.flatMap((block, index) => {
      const gap = index === 0 ? [] : [nothing(block.kind === 'heading' ? GAP * 2 : GAP)];
      return [...gap, ...this.layoutBlock(block, setting)];
    });

  /** The boxes of one block. */
  layoutBlock(block: Block, setting: Setting): Box[] {
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
        return [this.rule(setting.width)];
    }
  }

  private layoutHeading(heading: Heading, { style, ...setting }: Setting): Box[] {
    const size = HEADING_SIZES[heading.level - 1] ?? style.size;
    const lines = layoutParagraph(
      heading.inlines,
      { ...setting, style: { ...style, size, bold: true } },
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
    const width = narrower(setting.width, QUOTE_INDENT);
    const inner = this.layout(blocks, {
      ...setting,
      width,
      style: { ...setting.style, color: COLORS.muted },
    });
    return inner.map((box) => ({
      ...box,
      paint: (x, y) => {
        this.canvas.fill(x, y, 2.5, box.height, COLORS.line);
        box.paint(x + setting.width - width, y);
      },
    }));
  }

  private layoutList({ start, items }: List, setting: Setting): Box[] {
    return items.flatMap((item, index) => {
      const gap = index === 0 ? [] : [nothing(GAP / 2)];
      return [
        ...gap,
        ...this.layoutItem(item, start === undefined ? undefined : start + index, setting),
      ];
    });
  }

  private layoutItem(
    { blocks, checked }: ListItem,
    number: number | undefined,
    setting: Setting,
  ): Box[] {
    const [first] = blocks;
    const onTheRight = first?.kind === 'paragraph' && runsRightToLeft(plainText(first.inlines));
    const mark = number === undefined ? '•' : `${String(number)}.`;
    const text = checked === undefined ? mark : checked ? '☑' : '☐';
    const marker = this.markerBox(text, setting, onTheRight);
    const indent = Math.max(LIST_INDENT, marker.width + 6);
    const width = narrower(setting.width, indent);
    const boxes = this.layout(blocks, { ...setting, width });
    if (boxes.length === 0) boxes.push({ height: marker.box.height, paint: () => undefined });
    const shift = onTheRight ? 0 : setting.width - width;
    const markAt = onTheRight ? width + 6 : shift - marker.width - 6;
    return boxes.map((box, index) => ({
      ...box,
      paint: (x, y) => {
        if (index === 0) marker.box.paint(x + Math.max(0, markAt), y);
        box.paint(x + shift, y);
      },
    }));
  }

  private markerBox(
    text: string,
    { style }: Setting,
    rightToLeft: boolean,
  ): { box: Box; width: number } {
    const [line] = layoutLines([{ text, style: plain(style) }], Infinity, rightToLeft, this.canvas);
    const shown = line ?? { pieces: [], width: 0, size: style.size };
    return {
      box: lineBox(shown, { width: shown.width, align: 'left' }, this.canvas),
      width: shown.width,
    };
  }

  private layoutCode({ text }: Code, { style, width }: Setting): Box[] {
    const code = { ...plain(style), family: 'mono' as const, size: style.size * 0.88 };
    const inner = narrower(width, 2 * CODE_PADDING);
    const lines = text.split('\n').flatMap((line): Box[] => {
      const spans: Span[] = [{ text: line === '' ? ' ' : line, style: code }];
      const set = layoutLines(spans, inner, false, this.canvas);
      return set.map((one) =>
        lineBox({ ...one, size: code.size }, { width: inner, align: 'left' }, this.canvas),
      );
    });
    const padding: Box = { height: CODE_PADDING, paint: () => undefined };
    return [padding, ...lines, padding].map((box) => ({
      ...box,
      paint: (x, y) => {
        this.canvas.fill(x, y - 0.2, width, box.height + 0.4, COLORS.shade);
        box.paint(x + CODE_PADDING, y);
      },
    }));
  }

  private rule(width: number): Box {
    return {
      height: GAP * 2,
      paint: (x, y) => {
        this.canvas.line(x, y + GAP, x + width, y + GAP, COLORS.line);
      },
    };
  }
}

function plain(style: Setting['style']): Setting['style'] {
  return { ...style, bold: false, italic: false };
}

function narrower(width: number, by: number): number {
  return Math.max(Math.min(width, MIN_WIDTH), width - by);
}
