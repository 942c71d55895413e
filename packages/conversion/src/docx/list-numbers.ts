import { attributeOf, elements, paragraphsOf } from './document-xml.js';

/** The counter of a list: `w:num` and its `w:abstractNum`. */
interface Counting {
  /** Lists with the same value continue each other's numbers. */
  shared: string;
  /** First numbers by level. */
  starts: ReadonlyMap<string, number>;
  /** First numbers by level that only this list has. Their levels restart. */
  overrides: ReadonlyMap<string, number>;
}

type Definitions = ReadonlyMap<string, Counting>;

/** The numbering of a paragraph or a style. */
interface Place {
  list: string;
  level: string;
}

/**
 * Puts a bookmark named `mark-<number>` at the start of every list item: mammoth reads lists and passes bookmarks on,
 * but ignores numbers. All arguments are XML.
 */
export function markNumbers(
  document: string,
  { numbering, styles }: { numbering: string; styles: string },
  mark: string,
): string {
  const numbers = new Numbers(definitionsOf(numbering));
  const ofStyles = placesOfStyles(styles);
  const pieces: string[] = [];
  let copied = 0;
  for (const { properties, end, hasText } of paragraphsOf(document)) {
    const place = placeOf(properties) ?? ofStyles.get(attributeOf(properties, 'w:pStyle') ?? '');
    if (!place) continue;
    const number = numbers.next(place);
    // Paragraphs without text are not items, but they count.
    if (number === undefined || !hasText) continue;
    pieces.push(document.slice(copied, end));
    pieces.push(`<w:bookmarkStart w:id="0" w:name="${mark}-${String(number)}"/>`);
    copied = end;
  }
  pieces.push(document.slice(copied));
  return pieces.join('');
}

/** Sets the numbers of list items in the HTML of a marked document and removes the marks. */
export function readMarks(html: string, mark: string): string {
  const marked = `<a id="${mark}-(\\d+)"></a>`;
  const tags = new RegExp(`<ol><li>${marked}|<(/?)([ou]l)>|<li>(?:${marked})?|${marked}`, 'g');
  /** Number of the next item in each open list; `undefined` for bullets and unknown numbers. */
  const open: (number | undefined)[] = [];
  return html.replace(
    tags,
    (tag, first?: string, closing?: string, list?: string, next?: string) => {
      if (first !== undefined) {
        open.push(Number(first) + 1);
        return `${opening(first)}<li>`;
      }
      if (list !== undefined) {
        if (closing === '/') open.pop();
        else open.push(undefined);
        return tag;
      }
      if (!tag.startsWith('<li>')) return '';
      const expected = open.pop();
      const number = next === undefined ? expected : Number(next);
      open.push(expected === undefined || number === undefined ? expected : number + 1);
      // A new list directly after this one.
      const restarts = expected !== undefined && number !== expected;
      return restarts ? `</ol>${opening(String(number))}<li>` : '<li>';
    },
  );
}

function opening(number: string): string {
  return number === '1' ? '<ol>' : `<ol start="${number}">`;
}

/** Counts items as word processors do. */
class Numbers {
  /** The last number of each level, by `Counting.shared`. */
  private readonly counters = new Map<string, Map<string, number>>();
  private readonly begun = new Set<string>();

  constructor(private readonly definitions: Definitions) {}

  next({ list, level }: Place): number | undefined {
    const definition = this.definitions.get(list);
    if (!definition) return undefined;
    const { shared, starts, overrides } = definition;
    const counters = this.counters.get(shared) ?? new Map<string, number>();
    this.counters.set(shared, counters);
    const begins = overrides.has(level) && !this.begun.has(`${list} ${level}`);
    this.begun.add(`${list} ${level}`);
    const last = begins ? undefined : counters.get(level);
    const number = last === undefined ? (overrides.get(level) ?? starts.get(level) ?? 1) : last + 1;
    counters.set(level, number);
    for (const deeper of counters.keys()) {
      if (Number(deeper) > Number(level)) counters.delete(deeper);
    }
    return number;
  }
}

function definitionsOf(numbering: string): Definitions {
  const starts = new Map<string, Map<string, number>>();
  for (const [id, body] of elements(numbering, 'w:abstractNum', 'w:abstractNumId')) {
    starts.set(id, levelNumbers(body, 'w:lvl', 'w:start'));
  }
  return new Map(
    elements(numbering, 'w:num', 'w:numId').map(([id, body]) => {
      const shared = attributeOf(body, 'w:abstractNumId') ?? '';
      const overrides = levelNumbers(body, 'w:lvlOverride', 'w:startOverride');
      return [id, { shared, starts: starts.get(shared) ?? new Map(), overrides }];
    }),
  );
}

function levelNumbers(body: string, element: string, start: string): Map<string, number> {
  return new Map(
    elements(body, element, 'w:ilvl').flatMap(([level, inner]): [string, number][] => {
      const number = attributeOf(inner, start);
      return number === undefined ? [] : [[level, Number(number)]];
    }),
  );
}

function placesOfStyles(styles: string): Map<string, Place> {
  return new Map(
    elements(styles, 'w:style', 'w:styleId').flatMap(([id, body]): [string, Place][] => {
      const place = placeOf(body);
      return place ? [[id, place]] : [];
    }),
  );
}

function placeOf(properties: string): Place | undefined {
  if (!properties.includes('<w:numPr')) return undefined;
  const list = attributeOf(properties, 'w:numId');
  const level = attributeOf(properties, 'w:ilvl') ?? '0';
  // DOCX has nine levels.
  return list === undefined || !/^[0-8]$/.test(level) ? undefined : { list, level };
}
