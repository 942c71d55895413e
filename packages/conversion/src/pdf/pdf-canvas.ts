import type PDFDocument from 'pdfkit';
import { hasRightToLeft } from '../rich-text/rich-text.js';
import { turned } from './bidi-text.js';
import type { Face, FontSet } from './font-set.js';
import { weightOf, type TextStyle } from './text-style.js';

type Document = InstanceType<typeof PDFDocument>;

/** The parts we use of pdfkit's embedded font, which has no public type. */
interface EmbeddedFont {
  /** Code points of each glyph in use, for search and copy. */
  unicode: number[][];
}

/** Text with one face, style and direction. */
export interface Piece {
  text: string;
  face: Face;
  style: TextStyle;
  /** Odd: right to left. */
  level: number;
}

/** Shapes the whole run at once. Shaping word by word would keep reading order. */
const WHOLE_RUN: PDFKit.Mixins.OpenTypeFeatures[] = [];
/** Thickening as a fraction of the font size, for text without a bold face. */
const THICKENED_BY = 0.03;

/** Measures and draws text on the current page. Lengths are in points from the upper left corner. */
export class PdfCanvas {
  private readonly registered = new Set<string>();
  private readonly fonts = new Set<EmbeddedFont>();
  private readonly widths = new Map<string, number>();

  constructor(
    readonly document: Document,
    private readonly fontSet: FontSet,
  ) {}

  faceFor(codePoint: number, style: TextStyle): Face {
    return this.fontSet.faceFor(codePoint, style.family, weightOf(style));
  }

  width({ text, face, style, level }: Piece): number {
    if (text === '') return 0;
    this.choose(face, style.size);
    if (level % 2 === 0) return this.document.widthOfString(text);
    // The shaper only caches words if it may split the run.
    const key = `${face.name} ${String(style.size)} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      width = this.document.widthOfString(turned(text), { features: WHOLE_RUN });
      this.widths.set(key, width);
    }
    return width;
  }

  /** Draws a piece with its left edge at `x` and its letters on `baseline`. */
  draw(piece: Piece, x: number, baseline: number, width: number): void {
    const { face, style, level } = piece;
    const { document } = this;
    if (style.background)
      this.fill(x, baseline - style.size, width, style.size * 1.3, style.background);
    this.choose(face, style.size);
    document.fillColor(style.color);
    if (face.thicken) document.strokeColor(style.color).lineWidth(style.size * THICKENED_BY);
    const rightToLeft = level % 2 === 1;
    document.text(rightToLeft ? turned(piece.text) : piece.text, x, baseline - style.rise, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...(rightToLeft ? { features: WHOLE_RUN } : {}),
      ...(face.thicken ? { fill: true, stroke: true } : {}),
    });
    this.decorate(style, x, baseline, width);
  }

  /**
   * Call this after drawing everything. PDF readers reverse right-to-left text letter by letter, so a ligature must list
   * its letters in visual order.
   */
  finish(): void {
    for (const { unicode } of this.fonts) {
      for (const codePoints of unicode) {
        if (codePoints.length > 1 && hasRightToLeft(String.fromCodePoint(...codePoints))) {
          codePoints.reverse();
        }
      }
    }
  }

  /** Names a place of the current page that links can lead to. */
  markPlace(name: string, x: number, y: number): void {
    this.document.addNamedDestination(name, 'XYZ', x, y, null);
  }

  /** Draws a filled rectangle. */
  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.document.rect(x, y, width, height).fill(color);
  }

  line(x1: number, y1: number, x2: number, y2: number, color: string): void {
    this.document.lineWidth(0.6).moveTo(x1, y1).lineTo(x2, y2).stroke(color);
  }

  private decorate(style: TextStyle, x: number, baseline: number, width: number): void {
    const { size, color, link } = style;
    if (style.underline)
      this.line(x, baseline + size * 0.14, x + width, baseline + size * 0.14, color);
    if (style.strike)
      this.line(x, baseline - size * 0.28, x + width, baseline - size * 0.28, color);
    if (link?.startsWith('#')) this.document.goTo(x, baseline - size, width, size * 1.3, link);
    else if (link !== undefined) this.document.link(x, baseline - size, width, size * 1.3, link);
  }

  private choose(face: Face, size: number): void {
    if (!this.registered.has(face.name)) {
      this.document.registerFont(face.name, face.bytes);
      this.registered.add(face.name);
    }
    this.document.font(face.name, size);
    this.fonts.add((this.document as unknown as { _font: EmbeddedFont })._font);
  }
}
