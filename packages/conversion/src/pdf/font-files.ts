/** First and last code point. */
type Range = readonly [number, number];

/** A font from an npm package, which also contains its license. */
export interface FontFile {
  /** Path of the file, starting with the package name. */
  path: string;
  /** Code points to look up in this font. Defaults to all. */
  ranges?: readonly Range[];
  /** True if the font has no bold face, so outlines are thickened. */
  onlyRegular?: true;
}

export type Family = 'sans' | 'mono';
export type Weight = 'regular' | 'bold' | 'italic' | 'boldItalic';

const FILES: Readonly<Record<Weight, string>> = {
  regular: '400-normal',
  bold: '700-normal',
  italic: '400-italic',
  boldItalic: '700-italic',
};

/** Covers Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, mathematics, arrows, boxes and other symbols. */
export function mainFont(family: Family, weight: Weight): FontFile {
  return {
    path: `@fontsource/dejavu-${family}/files/dejavu-${family}-latin-${FILES[weight]}.woff2`,
  };
}

const HANGUL: readonly Range[] = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
];
const EAST_ASIAN: readonly Range[] = [
  [0x2e80, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xffef],
  [0x20000, 0x3ffff],
];
const PICTURES: readonly Range[] = [
  [0x203c, 0x3299],
  [0x1f000, 0x1faff],
];

/** Fallback fonts, in order of preference. */
export const FURTHER_FONTS: readonly FontFile[] = [
  { path: '@librescore/fonts/SourceHanSansCN.min.woff2', ranges: EAST_ASIAN, onlyRegular: true },
  { path: '@librescore/fonts/SourceHanSansKR.min.woff2', ranges: HANGUL, onlyRegular: true },
  ...Array.from({ length: 10 }, (_, part): FontFile => ({
    path: `@fontsource-variable/noto-emoji/files/noto-emoji-${String(part)}-wght-normal.woff2`,
    ranges: PICTURES,
    onlyRegular: true,
  })),
  // All other characters of the Basic Multilingual Plane, in coarse outlines.
  { path: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff2', onlyRegular: true },
];

export function mayHave({ ranges }: FontFile, codePoint: number): boolean {
  return ranges?.some(([first, last]) => codePoint >= first && codePoint <= last) ?? true;
}
