import { attributeOf, elements, nextIn, paragraphsOf } from './document-xml.js';

/** The borders of a paragraph. */
interface Borders {
  top: boolean;
  bottom: boolean;
  /** True for a frame or a bar beside the text, which is not a rule. */
  beside: boolean;
}

interface Bordered {
  properties: string;
  end: number;
  hasText: boolean;
  close: number;
}

const PICTURE = /<w:pict(?:\s[^<>]{0,1000})?>/g;
const IS_RULE = /\so:hr=["'](?:t|true|1)["']/;

/**
 * Puts `mark` where a DOCX document shows a horizontal rule, because mammoth knows none. Word, Google Docs and pandoc store
 * a drawn line (`o:hr`), Word's `---` and our exports a border of the paragraph, and LibreOffice a border of the style of
 * an empty paragraph. All arguments are XML, except for the mark.
 */
export function markRules(document: string, styles: string, mark: string): string {
  const run = `<w:r><w:t>${mark}</w:t></w:r>`;
  const drawn = withDrawnRules(document, `<w:t>${mark}</w:t>`);
  if (!drawn.includes('<w:pBdr') && !styles.includes('<w:pBdr')) return drawn;
  const ofStyles = bordersOfStyles(styles);
  const endFrom = nextIn(drawn, /<\/w:p>/g);
  const paragraphs = [...paragraphsOf(drawn)].map((one) => ({ ...one, close: endFrom(one.end) }));
  const insertions = paragraphs.flatMap(({ properties, end, hasText, close }, index) => {
    const own = bordersOf(properties);
    if (!hasText) {
      const borders = own ?? ofStyles.get(attributeOf(properties, 'w:pStyle') ?? '');
      return isRule(borders) && close !== Infinity ? [end] : [];
    }
    if (!isRule(own) || close === Infinity) return [];
    // Neighbors with the same borders share them, like one paragraph.
    const above = paragraphs[index - 1];
    const below = paragraphs[index + 1];
    const one = { properties, end, hasText, close };
    const continues = above !== undefined && shareBorders(above, one, drawn);
    const goesOn = below !== undefined && shareBorders(one, below, drawn);
    return [...(own.top && !continues ? [end] : []), ...(own.bottom && !goesOn ? [close] : [])];
  });
  return inserted(drawn, insertions, run);
}

function inserted(document: string, offsets: readonly number[], text: string): string {
  // Text boxes contain paragraphs of their own.
  const sorted = offsets.toSorted((one, other) => one - other);
  return [0, ...sorted].map((start, index) => document.slice(start, sorted[index])).join(text);
}

function withDrawnRules(document: string, replacement: string): string {
  const endFrom = nextIn(document, /<\/w:pict>/g);
  const closing = '</w:pict>'.length;
  const pieces: string[] = [];
  let copied = 0;
  for (const { index } of document.matchAll(PICTURE)) {
    const end = endFrom(index) + closing;
    if (index < copied || end === Infinity || !IS_RULE.test(document.slice(index, end))) continue;
    pieces.push(document.slice(copied, index), replacement);
    copied = end;
  }
  return [...pieces, document.slice(copied)].join('');
}

/** Returns the borders of each paragraph style, which it may have from the style that it is based on. */
function bordersOfStyles(styles: string): Map<string, Borders> {
  const definitions = new Map(elements(styles, 'w:style', 'w:styleId'));
  const borders = new Map<string, Borders>();
  for (const id of definitions.keys()) {
    let own: Borders | undefined;
    let from: string | undefined = id;
    for (let depth = 0; own === undefined && from !== undefined && depth < 10; depth += 1) {
      const definition: string = definitions.get(from) ?? '';
      own = bordersOf(definition);
      from = attributeOf(definition, 'w:basedOn');
    }
    if (own) borders.set(id, own);
  }
  return borders;
}

function isRule(borders: Borders | undefined): borders is Borders {
  return borders !== undefined && !borders.beside && (borders.top || borders.bottom);
}

/** Returns the borders in properties, or `undefined` if they say nothing about borders. */
function bordersOf(properties: string): Borders | undefined {
  const xml = borderXml(properties);
  if (xml === undefined) return undefined;
  const has = (side: string) => {
    const value = attributeOf(xml, `w:${side}`);
    return value !== undefined && value !== 'none' && value !== 'nil';
  };
  const beside = ['left', 'right', 'start', 'end', 'bar'].some(has);
  return { top: has('top'), bottom: has('bottom'), beside };
}

function borderXml(properties: string): string | undefined {
  const start = properties.indexOf('<w:pBdr>');
  const end = properties.indexOf('</w:pBdr>', start);
  return start < 0 || end < 0 ? undefined : properties.slice(start, end);
}

/** Returns true for two paragraphs with text and the same borders, and nothing between them. */
function shareBorders(one: Bordered, next: Bordered, document: string): boolean {
  if (!one.hasText || !next.hasText) return false;
  if (borderXml(one.properties) !== borderXml(next.properties)) return false;
  return document.slice(one.close, next.end).match(/<w:p[\s>]/g)?.length === 1;
}
