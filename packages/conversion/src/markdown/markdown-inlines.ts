import {
  sameMarks,
  type Image,
  type Inline,
  type Marks,
  type TextRun,
} from '../rich-text/rich-text.js';
import { normalizeLink, readMarkdown } from './markdown-reader.js';
import { settleSpaces } from './settle-spaces.js';

/** The position of inlines: in a paragraph, on one line such as a heading, or in a table cell. */
type Place = 'paragraph' | 'line' | 'cell';

type Mark = keyof Marks;

/** Marks, outermost first. */
const ORDER: readonly Mark[] = [
  'link',
  'bold',
  'italic',
  'strike',
  'underline',
  'subscript',
  'superscript',
  'code',
];

const DELIMITERS: Readonly<Partial<Record<Mark, string>>> = {
  bold: '**',
  italic: '*',
  strike: '~~',
};

const ELEMENTS: Readonly<Record<Exclude<Mark, 'link'>, string>> = {
  bold: 'strong',
  italic: 'em',
  strike: 'del',
  underline: 'u',
  subscript: 'sub',
  superscript: 'sup',
  code: 'code',
};

/** A style of writing: how to escape text, and whether to write marks as Markdown or as HTML elements. */
interface Manner {
  place: Place;
  escape: (text: string) => string;
  elements: boolean;
}

/**
 * Writes inlines as Markdown and reads the result back. Where Markdown would be misread, as in the middle of a word,
 * writes HTML elements instead, which Markdown allows everywhere.
 */
export function writeInlines(given: readonly Inline[], place: Place): string {
  const inlines = settleSpaces(given);
  if (inlines.length === 0) return '';
  const manners: Manner[] = [
    { place, escape: escapePlainly, elements: false },
    { place, escape: escapePlainly, elements: true },
    { place, escape: escapeWithEntities, elements: true },
  ];
  const written = manners.map((manner) => () => inPlace(write(inlines, ORDER, manner), place));
  const faithful = written.find((attempt) => readsAs(attempt(), place, inlines));
  return (faithful ?? written[2])?.() ?? '';
}

function inPlace(written: string, place: Place): string {
  // Spaces at the ends would be trimmed.
  const ended = written.replace(/^[^\S ]|[^\S ]$/g, (blank) => `&#${String(blank.charCodeAt(0))};`);
  switch (place) {
    case 'paragraph':
      return escapeLineStarts(ended);
    case 'line':
      return escapeClosing(ended);
    case 'cell':
      return ended;
  }
}

/** Escapes number signs that would close a heading. */
function escapeClosing(written: string): string {
  let text = written.length;
  while (written.charAt(text - 1) === '#') text -= 1;
  return written.slice(0, text) + '\\#'.repeat(written.length - text);
}

function readsAs(written: string, place: Place, inlines: readonly Inline[]): boolean {
  const numbers = numbersOf(inlines);
  const definitions = numbers.map((number) => `\n\n[^${String(number)}]: x`).join('');
  const frames = { paragraph: written, line: `# ${written}`, cell: `| ${written} |\n| --- |` };
  const [block, ...more] = readMarkdown(frames[place] + definitions).blocks;
  if (!block || more.length > 0) return false;
  const kinds = { paragraph: 'paragraph', line: 'heading', cell: 'table' };
  if (block.kind !== kinds[place]) return false;
  const cell = block.kind === 'table' ? block.rows[0]?.[0]?.blocks[0] : block;
  const read = cell && 'inlines' in cell ? cell.inlines : [];
  return (
    read.length === inlines.length && read.every((one, index) => same(one, inlines[index], numbers))
  );
}

/** Returns the numbers of the footnotes that inlines refer to, in order. */
function numbersOf(inlines: readonly Inline[]): number[] {
  return [...new Set(inlines.flatMap((inline) => (inline.kind === 'note' ? [inline.number] : [])))];
}

/** `numbers` are the footnotes that this text alone has. */
function same(read: Inline, meant: Inline | undefined, numbers: readonly number[]): boolean {
  if (read.kind === 'note' && meant?.kind === 'note')
    return numbers[read.number - 1] === meant.number;
  if (read.kind === 'text' && meant?.kind === 'text') {
    const { link } = meant.marks;
    const marks = link === undefined ? meant.marks : { ...meant.marks, link: normalizeLink(link) };
    return read.text === meant.text && sameMarks(read.marks, marks);
  }
  if (read.kind === 'image' && meant?.kind === 'image') return sameImage(read, meant);
  return read.kind === meant?.kind;
}

function sameImage(read: Image, meant: Image): boolean {
  return (
    read.description === meant.description &&
    read.source === normalizeLink(meant.source) &&
    (read.link ?? '') === (meant.link === undefined ? '' : normalizeLink(meant.link))
  );
}

/** Groups neighbors that share the first mark, writes each group with the remaining marks, and wraps it. */
function write(inlines: readonly Inline[], marks: readonly Mark[], manner: Manner): string {
  const [mark, ...rest] = marks;
  if (mark === undefined) return inlines.map((inline) => writeOne(inline, manner)).join('');
  return groupsBy(inlines, mark)
    .map(({ value, group }) => {
      if (value === undefined) return write(group, rest, manner);
      if (mark === 'code') return writeCode(group, manner);
      if (mark === 'link') return writeLink(String(value), group, rest, manner);
      return wrap(mark, write(group, rest, manner), manner);
    })
    .join('');
}

interface Group {
  value: string | true | undefined;
  group: Inline[];
}

function groupsBy(inlines: readonly Inline[], mark: Mark): Group[] {
  const groups: Group[] = [];
  for (const inline of inlines) {
    const value = markOf(inline, mark);
    const last = groups.at(-1);
    if (last && last.value === value) last.group.push(inline);
    else groups.push({ value, group: [inline] });
  }
  return groups;
}

function markOf(inline: Inline, mark: Mark): string | true | undefined {
  if (inline.kind === 'text') return inline.marks[mark];
  return inline.kind === 'image' && mark === 'link' ? inline.link : undefined;
}

function wrap(mark: Exclude<Mark, 'link'>, content: string, { elements }: Manner): string {
  const delimiter = DELIMITERS[mark];
  if (delimiter !== undefined && !elements) return delimiter + content + delimiter;
  return `<${ELEMENTS[mark]}>${content}</${ELEMENTS[mark]}>`;
}

function writeOne(inline: Inline, manner: Manner): string {
  switch (inline.kind) {
    case 'break':
      return manner.place === 'paragraph' ? '\\\n' : '<br>';
    case 'image':
      return manner.elements
        ? `<img src="${attribute(inline.source)}" alt="${attribute(inline.description)}">`
        : `![${manner.escape(inline.description)}](${destination(inline.source)})`;
    case 'note':
      return `[^${String(inline.number)}]`;
    case 'text':
      return escaped(inline.text, manner);
  }
}

function escaped(text: string, { escape, place }: Manner): string {
  // A pipe ends a cell, even if it is otherwise escaped.
  return place === 'cell' ? escape(text).replace(/(?<!\\)\|/g, '\\|') : escape(text);
}

function writeLink(
  address: string,
  group: readonly Inline[],
  rest: readonly Mark[],
  manner: Manner,
): string {
  const [only] = group;
  if (!manner.elements && group.length === 1 && only?.kind === 'text' && isBare(only, address)) {
    return `<${address}>`;
  }
  const content = write(group, rest, manner);
  return manner.elements
    ? `<a href="${attribute(address)}">${content}</a>`
    : `[${content}](${destination(address)})`;
}

/** Returns true if a link's text is its address, which Markdown writes in angle brackets. */
function isBare({ text, marks }: TextRun, address: string): boolean {
  return (
    text === address && /^https?:\/\/[^\s<>\\]+$/.test(address) && Object.keys(marks).length === 1
  );
}

function destination(address: string): string {
  if (/^[^\s<>()\\]+$/.test(address)) return address;
  return `<${address.replace(/[<>\\\s]/g, (character) => encodeURIComponent(character))}>`;
}

/** Returns the value of an HTML attribute in Markdown, on one line. */
function attribute(value: string): string {
  return value.replace(/[&<>"'|\s`\\]/g, (character) =>
    character === ' ' ? ' ' : `&#${String(character.charCodeAt(0))};`,
  );
}

function writeCode(group: readonly Inline[], manner: Manner): string {
  const code = group.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('');
  if (manner.elements) return `<code>${escapeWithEntities(code)}</code>`;
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$|^ .* $/s.test(code) && code.trim() !== '' ? ' ' : '';
  const written = manner.place === 'cell' ? code.replace(/\|/g, '\\|') : code;
  return fence + pad + written + pad + fence;
}

/** Escapes text with as few backslashes as possible. */
function escapePlainly(text: string): string {
  return text.replace(/[\\`*_[\]<~|]/g, '\\$&').replace(/&(?=[#a-zA-Z])/g, '\\&');
}

/** Escapes every special character as a character reference: less readable, but never misread. */
function escapeWithEntities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]|[^\S ]/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}

/** Escapes line starts that Markdown would read as a heading, quote, list, table or thematic break. */
function escapeLineStarts(written: string): string {
  return written.replace(/^(?=[#>=:+-])/gm, '\\').replace(/^(\d{1,9})(?=[.)])/gm, '$1\\');
}
