import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import wawoff2 from 'wawoff2';
import {
  FURTHER_FONTS,
  mainFont,
  mayHave,
  type Family,
  type FontFile,
  type Weight,
} from './font-files.js';

/** A font that is ready for use. */
export interface Face {
  /** Unique among all faces. */
  name: string;
  /** TrueType or OpenType data. */
  bytes: Buffer;
  has: (codePoint: number) => boolean;
  /** True if outlines must be thickened because the face is not bold. */
  thicken: boolean;
}

interface Opened {
  bytes: Buffer;
  font: Font;
}

const files = createRequire(import.meta.url);
/** Unpacked fonts. Unpacking takes up to 0.3 s, so each thread does it once per font. */
const opened = new Map<string, Promise<Opened>>();

/** The faces of one document. Finds a face for each character. */
export class FontSet {
  private readonly chains = new Map<string, readonly Face[]>();
  private readonly found = new Map<string, Face>();

  private constructor() {}

  /** Opens the fonts for these characters and styles. */
  static async open(
    codePoints: ReadonlySet<number>,
    styles: readonly { family: Family; weight: Weight }[],
  ): Promise<FontSet> {
    const fonts = new FontSet();
    const shared = await furtherFaces(codePoints);
    for (const { family, weight } of styles) {
      const own = await faceOf(mainFont(family, weight), weight);
      // Characters that only the regular font has are thickened for bold text.
      const regular = await faceOf({ ...mainFont('sans', 'regular'), onlyRegular: true }, weight);
      fonts.chains.set(key(family, weight), [own, regular, ...shared(weight)]);
    }
    return fonts;
  }

  /** Returns the face for a character, or the last face if none has it. */
  faceFor(codePoint: number, family: Family, weight: Weight): Face {
    const chainKey = key(family, weight);
    const known = this.found.get(`${chainKey} ${String(codePoint)}`);
    if (known) return known;
    const chain = this.chains.get(chainKey) ?? [];
    const face = chain.find(({ has }) => has(codePoint)) ?? chain.at(-1);
    if (!face) throw new Error(`No font face is open for ${chainKey}.`);
    this.found.set(`${chainKey} ${String(codePoint)}`, face);
    return face;
  }
}

function key(family: Family, weight: Weight): string {
  return `${family} ${weight}`;
}

/** Opens fallback fonts for characters that the main font lacks. Returns them as faces of a weight. */
async function furtherFaces(
  codePoints: ReadonlySet<number>,
): Promise<(weight: Weight) => readonly Face[]> {
  const { font: main } = await open(mainFont('sans', 'regular').path);
  let missing = [...codePoints].filter((codePoint) => !main.hasGlyphForCodePoint(codePoint));
  const needed: { file: FontFile; opened: Opened }[] = [];
  for (const file of FURTHER_FONTS) {
    if (!missing.some((codePoint) => mayHave(file, codePoint))) continue;
    const one = await open(file.path);
    const left = missing.filter((codePoint) => !one.font.hasGlyphForCodePoint(codePoint));
    if (left.length < missing.length) needed.push({ file, opened: one });
    missing = left;
  }
  return (weight) => needed.map(({ file, opened: one }) => toFace(file, one, weight));
}

async function faceOf(file: FontFile, weight: Weight): Promise<Face> {
  return toFace(file, await open(file.path), weight);
}

function toFace(file: FontFile, { bytes, font }: Opened, weight: Weight): Face {
  const bold = weight === 'bold' || weight === 'boldItalic';
  return {
    name: file.path,
    bytes,
    has: (codePoint) => mayHave(file, codePoint) && font.hasGlyphForCodePoint(codePoint),
    thicken: bold && file.onlyRegular === true,
  };
}

function open(path: string): Promise<Opened> {
  let one = opened.get(path);
  if (!one) {
    one = unpack(path);
    opened.set(path, one);
  }
  return one;
}

async function unpack(path: string): Promise<Opened> {
  // The PDF library cannot subset WOFF2.
  const bytes = Buffer.from(await wawoff2.decompress(readFileSync(files.resolve(path))));
  return { bytes, font: create(bytes) as Font };
}
