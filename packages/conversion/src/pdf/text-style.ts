import type { Marks } from '../rich-text/rich-text.js';
import type { Family, Weight } from './font-files.js';

/** The style of a span of text. Lengths are in points. */
export interface TextStyle {
  size: number;
  family: Family;
  bold: boolean;
  italic: boolean;
  color: string;
  strike: boolean;
  underline: boolean;
  /** Height above the baseline; negative below it. */
  rise: number;
  background?: string;
  /** An address, or `#` and the name of a place in the document. */
  link?: string;
}

export interface Span {
  text: string;
  style: TextStyle;
}

export const COLORS = {
  text: '#1a1a1a',
  muted: '#666666',
  link: '#0b57d0',
  line: '#c8c8c8',
  shade: '#f3f3f3',
} as const;

export const BODY: TextStyle = {
  size: 10.5,
  family: 'sans',
  bold: false,
  italic: false,
  color: COLORS.text,
  strike: false,
  underline: false,
  rise: 0,
};

/** Scales a length at body size to text of this style. */
export function scaled(points: number, { size }: TextStyle): number {
  return (points * size) / BODY.size;
}

const HEADING_SIZES = [19, 16, 13.5, 12, 11, 10.5];

export function headingStyle(style: TextStyle, level: number): TextStyle {
  return { ...style, size: scaled(HEADING_SIZES[level - 1] ?? BODY.size, style), bold: true };
}

/** Returns the style of a code block. */
export function codeStyle(style: TextStyle): TextStyle {
  return { ...style, bold: false, italic: false, family: 'mono', size: style.size * 0.88 };
}

/** Returns a style with marks applied. */
export function marked(style: TextStyle, marks: Marks): TextStyle {
  const small = marks.subscript === true || marks.superscript === true;
  const size = style.size * (small ? 0.7 : marks.code ? 0.92 : 1);
  return {
    ...style,
    size,
    family: marks.code ? 'mono' : style.family,
    bold: style.bold || marks.bold === true,
    italic: style.italic || marks.italic === true,
    strike: style.strike || marks.strike === true,
    underline: style.underline || marks.underline === true || marks.link !== undefined,
    rise: marks.superscript ? style.size * 0.35 : marks.subscript ? style.size * -0.15 : style.rise,
    ...(marks.code ? { background: COLORS.shade } : {}),
    ...(marks.link === undefined ? {} : { link: marks.link, color: COLORS.link }),
  };
}

export function weightOf({ bold, italic }: TextStyle): Weight {
  if (bold) return italic ? 'boldItalic' : 'bold';
  return italic ? 'italic' : 'regular';
}
