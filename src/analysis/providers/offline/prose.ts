import { decodeHTML } from 'entities';
import type { PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { TextRange } from '../../analysis.js';

/** Stands for one masked UTF-16 unit: no letter, no punctuation, no white space to any rule. */
export const MASK = '￼';

/** What is read in the place of code, URLs and variables: a noun that is right after `a`, `the`, `some` and a verb. */
export const PLACEHOLDER = 'JSON';

/** A passage that is no prose. Relative to the paragraph. */
export interface MaskedRange extends TextRange {
  /** What a reader hears in its place: nothing for an emphasis mark, a noun for inline code, a blank for a line break. */
  reads: string;
  /** The passage, where it is prose to its author: an identifier or a date, of which house rules may speak. */
  term?: string;
}

/** A run of prose: a paragraph, a heading, an item of a list, a cell. Ranges are in the whole text. */
export interface Paragraph extends TextRange {
  kind: 'paragraph' | 'heading' | 'list-item' | 'cell' | 'quote';
  /** 1 to 6 of a heading. */
  depth?: number;
  /**
   * As long as the passage in the text. What is no prose (code, URLs, link targets, HTML, template variables, Markdown's
   * own signs) is masked: see `MASK`. A position here plus `start` is a position in the text.
   */
  prose: string;
  /** In order, not overlapping: a finding that touches one is dropped. */
  masked: MaskedRange[];
}

/** The formats of a document: Markdown has structure, every other one is read as plain text. */
export type ProseFormat = 'markdown' | 'plain';

/** The prose of a text, in its order. Takes linear time, and never throws, whatever the text is. */
export function paragraphsOf(text: string, format: ProseFormat): Paragraph[] {
  return format === 'markdown' ? markdownParagraphs(text) : plainParagraphs(text);
}

// ---------------------------------------------------------------------------------------------------------------
// Markdown

const FRONT_MATTER = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n(?:[^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/;

/** A chunk with more than this is not parsed: the parser's time is quadratic in the signs of a paragraph, and nested containers exhaust its stack. */
const MOST_SIGNS = 600;
const LONGEST_CHUNK = 64 * 1024;
const ENOUGH_TO_PARSE = 2_048;

function markdownParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  const definitions = definedLabels(text);
  let waiting: TextRange | null = null;
  const parseWaiting = () => {
    const chunk = waiting;
    waiting = null;
    if (!chunk) return;
    const source = text.slice(chunk.start, chunk.end);
    const tree = isParsable(source) ? parsed(source, definitions) : null;
    if (tree) addNodes(paragraphs, text, tree.children, chunk, 'paragraph');
  };
  for (const chunk of chunksOf(text)) {
    const source = text.slice(chunk.start, chunk.end);
    const sign = PLAIN_LINE_SIGN.exec(source)?.[0] ?? '';
    if (isPlainParagraph(source.slice(sign.length))) {
      parseWaiting();
      const kind = sign === '' ? 'paragraph' : sign.startsWith('>') ? 'quote' : 'list-item';
      const range = trimmed(text, { start: chunk.start + sign.length, end: chunk.end });
      addParagraph(paragraphs, text, { ...range, kind }, []);
    } else {
      // Neighbours are parsed together: a call costs as much as some hundred characters.
      waiting = { start: (waiting ?? chunk).start, end: chunk.end };
      if (waiting.end - waiting.start > ENOUGH_TO_PARSE) parseWaiting();
    }
  }
  parseWaiting();
  return paragraphs;
}

/** Labels of reference definitions: a chunk is parsed without the others, and must know which `[text][label]` are links. */
function definedLabels(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (const match of text.matchAll(/^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*\S/gm)) {
    const label = match[1] ?? '';
    labels.set(label.toLowerCase(), label);
    if (labels.size === 5_000) break;
  }
  return labels;
}

/**
 * Cuts Markdown where a top-level block begins for certain: at an unindented line after a blank one, at a heading, at an
 * item of a list; never inside a fence, a comment or a script. Parsing small chunks keeps time linear and memory small.
 */
function* chunksOf(text: string): Generator<TextRange> {
  let start = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  let lineStart = start;
  let blankBefore = true;
  let closes: RegExp | null = null;
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    const line = text.slice(lineStart, Math.min(lineEnd, lineStart + 1_000));
    if (closes) {
      if (closes.test(text.slice(lineStart, lineEnd))) closes = null;
      blankBefore = false;
    } else {
      const begins = blankBefore
        ? /^\S/.test(line)
        : /^(?:#{1,6}\s|[-*+] +\S|\d{1,9}[.)] +\S)/.test(line);
      if (begins && lineStart > start) {
        yield { start, end: lineStart };
        start = lineStart;
      }
      blankBefore = /^\s*$/.test(line);
      closes = closerOf(line, text.slice(lineStart, lineEnd));
    }
    lineStart = lineEnd;
  }
  if (start < text.length) yield { start, end: text.length };
}

/** The end of a block that may hold blank lines, when this line opens one and does not close it. */
function closerOf(line: string, wholeLine: string): RegExp | null {
  const fence = /^(?:[ \t]*|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)(`{3,}(?=[^`]*$)|~{3,})/.exec(
    line,
  )?.[1];
  if (fence)
    return new RegExp(`^[ \\t]*${fence.charAt(0)}{${String(fence.length)},}[ \\t]*\\r?\\n?$`);
  if (/^ {0,3}<!--/.test(line)) return wholeLine.includes('-->') ? null : /-->/;
  if (/^ {0,3}<(?:script|pre|style|textarea)\b/i.test(line)) {
    const end = /<\/(?:script|pre|style|textarea)>/i;
    return end.test(wholeLine) ? null : end;
  }
  if (/^ {0,3}\$\$\s*$/.test(line)) return /^ {0,3}\$\$\s*$/;
  return null;
}

/** Before an item of a list or a quotation of one line. */
const PLAIN_LINE_SIGN = /^(?:[-*+] {1,4}|\d{1,9}[.)] {1,4}|> ?)(?=[^\s][^\n]*\s*$)/;

/** Nothing in it has a meaning to Markdown: most paragraphs of a book need no parser. */
function isPlainParagraph(source: string): boolean {
  return (
    /^[\p{L}"“‘'(]/u.test(source) &&
    !/[`*_[\]<>&\\~|@$]|:\/\/|www\.|^\s*(?:[-+=#]|\d+[.)])|^(?: {4}|\t)/m.test(source)
  );
}

/** Signs whose pairs the parser seeks within a paragraph. */
const PAIRED_SIGNS = /[[\]*_<\\&]/g;
const BLANK_LINE = /\r?\n[ \t]*\r?\n/;
const NESTED_CONTAINERS = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)])){30}/m;

/** Lines of a quotation with a line after it that only belongs to it because nothing else begins there. */
const LAZY_QUOTE_LINES = /^ {0,3}>.*\n(?=[^\s>])/gm;
const MOST_LAZY_LINES = 300;

function isParsable(source: string): boolean {
  if (source.length > LONGEST_CHUNK || NESTED_CONTAINERS.test(source)) return false;
  if ((source.match(LAZY_QUOTE_LINES)?.length ?? 0) > MOST_LAZY_LINES) return false;
  if (source.length < MOST_SIGNS) return true;
  return source
    .split(BLANK_LINE)
    .every((part) => (part.match(PAIRED_SIGNS)?.length ?? 0) <= MOST_SIGNS);
}

function parsed(source: string, definitions: Map<string, string>): Root | null {
  let appendix = '';
  if (definitions.size > 0) {
    for (const match of source.matchAll(/\[([^\][\n]{1,200})\]/g)) {
      const label = definitions.get((match[1] ?? '').toLowerCase());
      if (label !== undefined) appendix += `\n[${label}]: #`;
    }
  }
  try {
    return fromMarkdown(appendix ? `${source}\n${appendix}` : source, {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    });
  } catch {
    // The parser's stack ends before a hostile nesting does: such a passage is no prose.
    return null;
  }
}

function addNodes(
  paragraphs: Paragraph[],
  text: string,
  nodes: RootContent[],
  chunk: TextRange,
  kind: Paragraph['kind'],
): void {
  for (const node of nodes) {
    switch (node.type) {
      case 'paragraph':
        addInline(paragraphs, text, node, chunk, { kind });
        break;
      case 'heading':
        addInline(paragraphs, text, node, chunk, { kind: 'heading', depth: node.depth });
        break;
      case 'tableCell':
        addInline(paragraphs, text, node, chunk, { kind: 'cell' });
        break;
      case 'blockquote':
        addNodes(paragraphs, text, node.children, chunk, 'quote');
        break;
      case 'listItem':
        addNodes(paragraphs, text, node.children, chunk, 'list-item');
        break;
      case 'list':
      case 'table':
      case 'tableRow':
      case 'footnoteDefinition':
        addNodes(paragraphs, text, node.children, chunk, kind);
        break;
      default:
      // Code, HTML, definitions and rules are no prose.
    }
  }
}

/** A block of inline content; its signs (`#`, `|`) stand before and after its children. */
function addInline(
  paragraphs: Paragraph[],
  text: string,
  node: { children: PhrasingContent[] },
  chunk: TextRange,
  what: Pick<Paragraph, 'kind' | 'depth'>,
): void {
  const range = innerRange(node.children, chunk);
  if (!range) return;
  const masks: MaskedRange[] = [];
  maskInline(masks, text, node.children, range, chunk);
  addParagraph(paragraphs, text, { ...range, ...what }, masks);
}

interface Positioned {
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

/** Where a node stands in the whole text; null for what stands in the appended definitions. */
function positionOf(node: Positioned, chunk: TextRange): TextRange | null {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) return null;
  const range = { start: chunk.start + start, end: Math.min(chunk.start + end, chunk.end) };
  return range.start < range.end ? range : null;
}

function innerRange(children: Positioned[], chunk: TextRange): TextRange | null {
  const first = children[0] && positionOf(children[0], chunk);
  const last =
    children.length > 0 ? positionOf(children[children.length - 1] as Positioned, chunk) : null;
  return first && last ? { start: first.start, end: last.end } : null;
}

/** Elements whose content is code or keys. */
const CODE_ELEMENT = /^<(\/?)(code|kbd|samp|var|tt|pre|script|style|svg|math)\b/i;

function maskInline(
  masks: MaskedRange[],
  text: string,
  nodes: PhrasingContent[],
  within: TextRange,
  chunk: TextRange,
): void {
  let last = within.start;
  let codeFrom = -1;
  for (const node of nodes) {
    const range = positionOf(node, chunk);
    if (!range) continue;
    // What stands between two nodes are the signs of their parent.
    if (range.start > last) masks.push({ start: last, end: range.start, reads: '' });
    last = range.end;
    const element = node.type === 'html' ? CODE_ELEMENT.exec(node.value) : null;
    if (element && !element[1] && codeFrom < 0) codeFrom = range.start;
    else if (element?.[1] && codeFrom >= 0) {
      masks.push({ start: codeFrom, end: range.end, reads: PLACEHOLDER });
      codeFrom = -1;
      continue;
    }
    maskNode(masks, text, node, range, chunk);
  }
  if (codeFrom >= 0) masks.push({ start: codeFrom, end: within.end, reads: PLACEHOLDER });
  if (within.end > last) masks.push({ start: last, end: within.end, reads: '' });
}

function maskNode(
  masks: MaskedRange[],
  text: string,
  node: PhrasingContent,
  range: TextRange,
  chunk: TextRange,
): void {
  switch (node.type) {
    case 'text':
      maskSigns(masks, text, range);
      break;
    case 'inlineCode':
      masks.push({ ...range, reads: PLACEHOLDER });
      break;
    case 'break':
      masks.push({ ...range, reads: ' ' });
      break;
    case 'html':
      masks.push({ ...range, reads: /^<br\b/i.test(node.value) ? ' ' : '' });
      break;
    case 'link': {
      const label = text.slice(range.start + 1, text.indexOf(']', range.start));
      // An address as it stands, or the name of what it leads to.
      const isName =
        text[range.start] !== '[' ||
        (/^[\w.@-]+$/.test(label) &&
          node.url.toLowerCase().includes(label.toLowerCase()) &&
          /[/.]/.test(node.url));
      if (isName) masks.push({ ...range, reads: PLACEHOLDER });
      else maskInline(masks, text, node.children, range, chunk);
      break;
    }
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'linkReference':
      maskInline(masks, text, node.children, range, chunk);
      break;
    default:
      masks.push({ ...range, reads: '' });
  }
}

/** Escapes, character references and the `>` of a quote's next lines, inside of a text node. */
function maskSigns(masks: MaskedRange[], text: string, range: TextRange): void {
  const source = text.slice(range.start, range.end);
  for (const match of source.matchAll(/\\(?=[!-/:-@[-`{-~])|&#?\w{1,31};|(?<=\n)[ \t]*>[ \t>]*/g)) {
    const start = range.start + match.index;
    const reads = match[0].startsWith('&') ? decodeHTML(match[0]) : '';
    masks.push({
      start,
      end: start + match[0].length,
      reads: reads === match[0] ? PLACEHOLDER : reads,
    });
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Plain text

function plainParagraphs(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let start = 0;
  let lineStart = 0;
  const close = (end: number) => {
    const range = trimmed(text, { start, end });
    if (range.start < range.end) {
      const marker =
        /^(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?=\S)/.exec(
          text.slice(range.start, range.start + 100),
        )?.[0] ?? '';
      const kind = marker ? 'list-item' : 'paragraph';
      addParagraph(
        paragraphs,
        text,
        { start: range.start + marker.length, end: range.end, kind },
        [],
      );
    }
    start = end;
  };
  while (lineStart < text.length) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? text.length : newline + 1;
    const line = text.slice(lineStart, Math.min(lineEnd, lineStart + 200));
    if (/^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S/.test(line)) close(lineStart);
    else if (/^\s*$/.test(line) && lineEnd - lineStart <= 200) close(lineEnd);
    lineStart = lineEnd;
  }
  close(text.length);
  return paragraphs;
}

// ---------------------------------------------------------------------------------------------------------------
// What is no prose in any format

const LINK = '(?:https?|ftp|ssh|git|file|wss?|mailto|tel|data|postgres(?:ql)?|redis)';

/** In order of precedence; each takes linear time, and is tried where its `signs` are. Reads as the noun if not said otherwise. */
const NO_PROSE: { signs: RegExp; pattern: RegExp; reads?: string; isTerm?: true }[] = [
  // Template variables: {{x}}, ${x}, {x}, <%= x %>, {% x %}, %{x}, [[x]]
  {
    signs: /[{[]|<%/,
    pattern:
      /\{\{[^{}]{0,500}\}\}|\{%[^{}]{0,500}%\}|[$%#]?\{[^{}\n]{0,200}\}|<%[^<>]{0,500}%>|\[\[[^[\]\n]{0,200}\]\]/g,
  },
  // Tags, which Markdown's parser does not know in plain text.
  { signs: /</, pattern: /<\/?[a-zA-Z][^<>\n]{0,300}>|<!--[^<>]{0,500}-->/g, reads: '' },
  // Code between backticks, for plain text.
  { signs: /`/, pattern: /`[^`\n]{1,200}`/g },
  // Mathematics: $x^2$, $$ … $$; not two prices.
  {
    signs: /\$/,
    pattern:
      /\$\$[^$]{1,1000}\$\$|\$(?![\s\d])[^$\n]{1,200}(?<!\s)\$(?!\d)|\$\d[^$\n]{0,60}[\\^_=+][^$\n]{0,60}(?<!\s)\$(?!\d)/g,
  },
  // URLs, e-mail addresses, hosts.
  { signs: /:/, pattern: new RegExp(`\\b${LINK}:[^\\s<>"'\`]{1,2000}(?<![.,;:!?)\\]*_])`, 'gi') },
  { signs: /@/, pattern: /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}/g },
  { signs: /www/i, pattern: /\bwww\.[^\s<>"'`]{1,2000}(?<![.,;:!?)\]*_])/gi },
  // Dates, which look like paths.
  { signs: /\d\//, pattern: /(?<![\w/])\d{1,4}\/\d{1,2}\/\d{1,4}(?![\w/])/g, isTerm: true },
  // Paths: /etc/x, ./x, ~/x, C:\x, src/x.ts, @scope/name, globs
  { signs: /[/\\]/, pattern: /(?<![\w/.])(?:~|\.{1,2})?[/\\](?:[\w.@+*-]{1,200}[/\\]?){1,20}/g },
  { signs: /:[/\\]/, pattern: /\b[a-zA-Z]:[/\\][^\s"'`<>|]{0,500}/g },
  { signs: /@/, pattern: /@[\w.-]{1,100}(?:\/[\w.-]{1,100}){0,3}/g },
  {
    signs: /\//,
    pattern: /(?<![\w/])[\w.-]{1,100}(?:\/[\w.*-]{1,100}){1,20}(?:\.\w{1,8}|\/)(?!\w)/g,
  },
  { signs: /\/.*\//, pattern: /(?<![\w/])[\w.-]{1,100}(?:\/[\w.*-]{1,100}){2,20}/g },
  // Emoji codes and printf's signs.
  { signs: /:/, pattern: /(?<![\w:]):[a-z0-9_+-]{1,40}:(?![\w:])/gi, reads: '' },
  { signs: /[%$]/, pattern: /%(?:\d+\$)?[sdifxuc]\b|%\w{2,40}%|\$[a-zA-Z_]\w{0,60}/g },
  // Flags and files that begin with a dot.
  { signs: /-/, pattern: /(?<![\w-])--?[a-zA-Z][\w-]{0,60}(?:=[^\s,;]{1,100})?/g },
  { signs: /\./, pattern: /(?<![\w.])\.[a-zA-Z][\w-]{1,60}\b/g },
  // Calls, indexing and members: f(), a.b.c, a::b, a->b, a[0]
  { signs: /\(\)/, pattern: /\b[\w$]{1,80}(?:\.[\w$]{1,80}){0,10}\(\)/g },
  { signs: /::|->|#/, pattern: /\b[\w$]{1,80}(?:(?:::|->|#)[\w$]{1,80}){1,10}/g },
  {
    signs: /\./,
    pattern:
      /\b(?![ei]\.[eg]\b|[ap]\.m\b|[A-Z](?:\.[A-Z])+\b)[\w$]*[A-Za-z_$][\w$]*(?:\.[\w$-]{1,80}){1,10}(?<![.-])(?<!\.[A-Z][a-z]{1,20})/g,
  },
  // Versions, hashes, numbers of issues and dates
  { signs: /\d/, pattern: /\bv?\d{1,10}(?:[.:-]\w{1,20}){1,8}\b|\bv\d{1,6}\b/g, isTerm: true },
  { signs: /#/, pattern: /#\w{1,40}/g },
  { signs: /\d/, pattern: /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/g },
  // Identifiers: snake_case, CONST_CASE, camelCase, words with digits
  { signs: /_/, pattern: /\b(?:\w{1,80}_\w{0,80}|_\w{1,80})\b/g },
  {
    signs: /[a-z][A-Z]/,
    pattern: /\b[a-zA-Z]{0,40}[a-z][A-Z][a-zA-Z]{0,60}\b/g,
    isTerm: true,
  },
  {
    signs: /\d/,
    pattern:
      /\b(?=\d{0,20}[a-zA-Z])(?!\d{1,6}(?:st|nd|rd|th|s|ms|kb|mb|gb|px|am|pm|k|m|x|d)\b)(?=[a-zA-Z]{0,40}\d)[a-zA-Z\d]{2,60}\b/gi,
    isTerm: true,
  },
];

function addParagraph(
  paragraphs: Paragraph[],
  text: string,
  place: TextRange & Pick<Paragraph, 'kind' | 'depth'>,
  marks: MaskedRange[],
): void {
  const source = text.slice(place.start, place.end);
  const relative = marks
    .map((mark) => ({ ...mark, start: mark.start - place.start, end: mark.end - place.start }))
    .filter((mark) => mark.start < mark.end);
  let prose = withMasks(source, relative);
  for (const { pattern, signs, reads = PLACEHOLDER, isTerm } of NO_PROSE) {
    if (!signs.test(prose)) continue;
    const found: MaskedRange[] = [];
    for (const match of prose.matchAll(pattern)) {
      const range = { start: match.index, end: match.index + match[0].length, reads };
      found.push(isTerm ? { ...range, term: match[0] } : range);
    }
    if (found.length === 0) continue;
    for (const range of found) relative.push(range);
    prose = withMasks(prose, found);
  }
  const masked = merged(relative, source);
  const start = prose.length - prose.trimStart().length;
  if (start === prose.length || !/[\p{L}\p{N}]/u.test(prose)) return;
  paragraphs.push({ ...place, prose, masked });
}

/** The paragraph with its identifiers and dates unmasked. */
export function withTerms(paragraph: Paragraph): Paragraph {
  const { masked } = paragraph;
  let prose = paragraph.prose;
  for (const { start, end, term } of masked) {
    if (term?.length === end - start) prose = prose.slice(0, start) + term + prose.slice(end);
  }
  return { ...paragraph, prose, masked: masked.filter(({ term }) => term === undefined) };
}

function withMasks(source: string, ranges: TextRange[]): string {
  if (ranges.length === 0) return source;
  const parts: string[] = [];
  let last = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (end <= last) continue;
    const from = Math.max(start, last);
    parts.push(source.slice(last, from), MASK.repeat(end - from));
    last = end;
  }
  parts.push(source.slice(last));
  return parts.join('');
}

/** Overlapping masks become one, which reads as the first that reads as anything. */
function merged(ranges: MaskedRange[], source: string): MaskedRange[] {
  const result: MaskedRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result[result.length - 1];
    if (last && range.start < last.end) {
      last.end = Math.max(last.end, range.end);
      last.reads ||= range.reads;
      delete last.term;
    } else result.push({ ...range });
  }
  for (const range of result) {
    // A mask never begins or ends within a surrogate pair.
    if (isLowSurrogate(source, range.start)) range.start -= 1;
    if (isLowSurrogate(source, range.end)) range.end += 1;
  }
  return result;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (!(code >= 0xdc00 && code <= 0xdfff)) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

function trimmed(text: string, { start, end }: TextRange): TextRange {
  while (start < end && /\s/.test(text.charAt(start))) start += 1;
  while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
  return { start, end };
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

/**
 * A paragraph as it is read aloud: without marks, emoji and invisible characters, code as a noun, line breaks as blanks,
 * letters composed. Rules look at this, and what they find is mapped back exactly.
 */
export interface Reading {
  text: string;
  /** The passage of the paragraph that `start` to `end` of the reading stands for; null if a part of it is masked. */
  sourceOf(start: number, end: number): TextRange | null;
  /** Whether a character of the reading stands for what is masked. */
  isMasked(at: number): boolean;
}

/** Soft hyphens, joiners, marks of direction, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\ufeff|\u20e3/u;
/** Emoji, flags and tones of skin. */
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

export function readingOf(paragraph: Pick<Paragraph, 'prose' | 'masked'>): Reading {
  const { prose, masked } = paragraph;
  const parts: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const hidden: boolean[] = [];
  const add = (heard: string, range: TextRange, isMasked: boolean) => {
    parts.push(heard);
    for (let unit = 0; unit < heard.length; unit += 1) {
      from.push(range.start);
      to.push(range.end);
      hidden.push(isMasked);
    }
  };
  let at = 0;
  let nextMask = 0;
  while (at < prose.length) {
    const mask = masked[nextMask];
    if (mask?.start === at) {
      add(mask.reads, mask, true);
      at = mask.end;
      nextMask += 1;
      continue;
    }
    const end = clusterEnd(prose, at, mask?.start ?? prose.length);
    const cluster = prose.slice(at, end);
    add(heardOf(cluster), { start: at, end }, false);
    at = end;
  }
  const text = parts.join('');
  return {
    text,
    isMasked: (index) => hidden[index] ?? false,
    sourceOf(start, end) {
      if (start >= end) {
        const place = start < from.length ? from[start] : prose.length;
        return place === undefined ? null : { start: place, end: place };
      }
      const range = { start: from[start] ?? 0, end: to[end - 1] ?? 0 };
      const touches = touchesMask(masked, range);
      return touches ? null : range;
    },
  };
}

/** Masks are in order: the first that ends after the range begins is found by halving. */
function touchesMask(masked: readonly MaskedRange[], range: TextRange): boolean {
  let low = 0;
  let high = masked.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((masked[middle]?.end ?? 0) > range.start) high = middle;
    else low = middle + 1;
  }
  return (masked[low]?.start ?? Infinity) < range.end;
}

/** Where the character at a place ends, with the combining marks upon it. */
function clusterEnd(prose: string, at: number, limit: number): number {
  let end = at + (at + 1 < limit && isLowSurrogate(prose, at + 1) ? 2 : 1);
  // ASCII before ASCII carries no mark: nearly all of a text.
  while (
    end < limit &&
    prose.charCodeAt(end) > 0x2ff &&
    end - at < 30 &&
    /^\p{M}/u.test(prose.slice(end, end + 2))
  ) {
    end += (prose.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
}

function heardOf(cluster: string): string {
  if (cluster.length === 1 && cluster < '\u0080')
    return cluster === '\n' || cluster === '\t' || cluster === '\r' ? ' ' : cluster;
  if (cluster === '\u00a0' || cluster === '\u202f' || cluster === '\u2009') return ' ';
  if (INVISIBLE.test(cluster) || PICTURE.test(cluster)) return '';
  return cluster.length > 1 ? cluster.normalize('NFC') : cluster;
}
