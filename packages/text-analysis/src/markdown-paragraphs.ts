import { decodeHTML } from 'entities';
import type { PhrasingContent, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { TextRange } from './analysis.js';
import { addParagraph, PLACEHOLDER, trimmed, type MaskedRange, type Paragraph } from './prose.js';

const FRONT_MATTER = /^\ufeff?(---|\+\+\+)[ \t]*\r?\n(?:[^]*?\r?\n)?\1[ \t]*(?:\r?\n|$)/;

/** A chunk with more than this is not parsed: the parser's time is quadratic in the signs of a paragraph, and nested containers exhaust its stack. */
const MOST_SIGNS = 600;
const LONGEST_CHUNK = 64 * 1024;
const ENOUGH_TO_PARSE = 2_048;

export function markdownParagraphs(text: string): Paragraph[] {
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
