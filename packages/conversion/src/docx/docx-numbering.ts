import { AlignmentType, LevelFormat, type ILevelsOptions, type INumberingOptions } from 'docx';

/** Levels of a list in DOCX. */
const LEVELS = 9;
/** Indentation of each level, in twentieths of a point. */
export const INDENT = 440;
/** Maximum number of distinct first numbers. Further lists start at 1. */
const MAX_STARTS = 100;
const BULLETS = ['•', '◦', '▪'];

/** The position of a paragraph in its list. */
export interface Numbering {
  reference: string;
  level: number;
  instance: number;
}

/** The lists of one document. Each is numbered separately. */
export class DocxNumbering {
  private readonly starts = new Set<number>();
  private lists = 0;

  /** Starts a list. It has bullets if `start` is undefined. */
  begin(start: number | undefined, level: number): Numbering {
    this.lists += 1;
    const at = { level: Math.min(level, LEVELS - 1), instance: this.lists };
    if (start === undefined) return { reference: 'bullets', ...at };
    const known = this.starts.has(start) || this.starts.size < MAX_STARTS ? start : 1;
    this.starts.add(known);
    return { reference: referenceOf(known), ...at };
  }

  /** Returns the definitions that paragraphs refer to. */
  config(): INumberingOptions['config'] {
    return [
      {
        reference: 'bullets',
        levels: levels(LevelFormat.BULLET, (level) => BULLETS[level % 3] ?? ''),
      },
      ...[...this.starts].map((start) => ({
        reference: referenceOf(start),
        levels: levels(LevelFormat.DECIMAL, (level) => `%${String(level + 1)}.`, start),
      })),
    ];
  }
}

function referenceOf(start: number): string {
  return `numbers-from-${String(start)}`;
}

function levels(
  format: ILevelsOptions['format'],
  text: (level: number) => string,
  start = 1,
): ILevelsOptions[] {
  return Array.from({ length: LEVELS }, (_, level) => ({
    level,
    format,
    start,
    text: text(level),
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT * 0.75 } } },
  }));
}
