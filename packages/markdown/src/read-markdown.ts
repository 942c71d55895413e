import MarkdownIt, { type MarkdownIt as Parser, type Token } from 'markdown-it';
import { footnotes } from './footnotes.js';
import { inlinePositions } from './inline-positions.js';
import {
  cellsOf,
  linesOf,
  mapCell,
  mapLines,
  type SourceMap,
  type SourceRange,
} from './source-map.js';
import { taskBoxOf } from './task-box.js';

export type { SourceRange } from './source-map.js';

/** A block of prose. Its range excludes the markers around it, such as `#`, `|` and the box of a task. */
export interface MarkdownBlock extends SourceRange {
  /** The innermost container, for text that is neither a heading nor a cell. */
  kind: 'paragraph' | 'heading' | 'list-item' | 'quote' | 'cell';
  /** Level of a heading, 1 to 6. */
  depth?: number;
  inlines: MarkdownInline[];
}

/**
 * A part of a block. Parts are in order and do not overlap. Signs of emphasis, white space before a line break and the
 * indentation of a line lie between them.
 *
 * - `text`: `value` equals the slice of the source.
 * - `escape`, `entity`: `value` is what a reader sees.
 * - `line-end`: a newline that reads as a space.
 * - `break`: a line break in the output.
 * - `code`, `html`, `image`, `footnote`: `value` is the slice of the source. A footnote is a reference to one.
 * - `link`, `reference`: `value` is the address, `inlines` is the label. An address in `<>` has no label. A reference takes
 *   its address from a definition.
 */
export interface MarkdownInline extends SourceRange {
  type:
    | 'text'
    | 'escape'
    | 'entity'
    | 'line-end'
    | 'break'
    | 'code'
    | 'html'
    | 'image'
    | 'link'
    | 'reference'
    | 'footnote';
  value: string;
  inlines?: MarkdownInline[];
}

/** A block with more special characters is not prose. Parsing it would take seconds. */
const MAX_SIGNS = 5_000;

const parser = new MarkdownIt({ html: true }).use(footnotes).use(skipHostileBlocks);
// Both rules join tokens, and the position of the second one would be lost.
parser.core.ruler.disable('text_join');
parser.inline.ruler2.disable('fragments_join');
const startOf = inlinePositions(parser);

/**
 * Returns the prose of a Markdown text in order. Supports CommonMark with tables, strikethrough (`~~`), task lists and
 * footnotes. Skips code blocks, HTML blocks and link definitions, containers deeper than 100 levels, and blocks with more
 * than 5,000 special characters. Takes linear time.
 */
export function readMarkdown(source: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const lines = linesOf(source);
  const containers: MarkdownBlock['kind'][] = [];
  let cells: SourceRange[] = [];
  let opening: Token | undefined;
  const tokens = parser.parse(source, {});
  for (const [index, token] of tokens.entries()) {
    switch (token.type) {
      case 'blockquote_open':
        containers.push('quote');
        break;
      case 'list_item_open':
        containers.push('list-item');
        break;
      case 'blockquote_close':
      case 'list_item_close':
        containers.pop();
        break;
      case 'tr_open':
        cells = cellsOf(source, lines[token.map?.[0] ?? 0] ?? { start: 0, end: 0 }).reverse();
        break;
      case 'th_open':
      case 'td_open': {
        const cell = cells.pop();
        const content = tokens[index + 1];
        if (cell && content)
          addBlock(blocks, source, content, mapCell(source, cell), { kind: 'cell' });
        break;
      }
      case 'heading_open':
      case 'paragraph_open':
        opening = token;
        break;
      case 'inline':
        if (!token.map) break;
        addBlock(
          blocks,
          source,
          token,
          mapLines(source, token, lines),
          opening?.type === 'heading_open'
            ? { kind: 'heading', depth: Number(opening.tag.slice(1)) }
            : { kind: containers.at(-1) ?? 'paragraph' },
          tokens[index - 2]?.type === 'list_item_open' ? taskBoxOf(token.content)?.length : 0,
        );
        break;
    }
  }
  return blocks;
}

function skipHostileBlocks({ core }: Parser): void {
  core.ruler.before('inline', 'skip_hostile_blocks', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'inline' || token.content.length <= MAX_SIGNS) continue;
      const signs = token.content.match(/[[\]*_<\\&`~!]/g)?.length ?? 0;
      if (signs > MAX_SIGNS) token.content = '';
    }
  });
}

function addBlock(
  blocks: MarkdownBlock[],
  source: string,
  { content, children }: Token,
  map: SourceMap,
  what: Pick<MarkdownBlock, 'kind' | 'depth'>,
  skipped = 0,
): void {
  if (content.length <= skipped) return;
  const tokens = (children ?? []).map((token) => {
    // The parser puts the start of a link after its bracket.
    const isBracketed = token.type === 'link_open' && token.markup !== 'autolink';
    return { token, start: startOf(token) - (isBracketed ? 1 : 0) };
  });
  // markdown-it moves a lone `~` after the marker that ends a deletion.
  tokens.sort((a, b) => a.start - b.start);
  const inlines = inlinesOf({ source, map, tokens, length: content.length }, skipped);
  blocks.push({ ...map.rangeOf(skipped, content.length), ...what, inlines });
}

interface BlockContent {
  source: string;
  map: SourceMap;
  tokens: { token: Token; start: number }[];
  length: number;
}

const TYPES: Readonly<Record<string, MarkdownInline['type']>> = {
  softbreak: 'line-end',
  hardbreak: 'break',
  code_inline: 'code',
  html_inline: 'html',
  image: 'image',
  footnote_ref: 'footnote',
};

function inlinesOf(block: BlockContent, skipped: number): MarkdownInline[] {
  const { source, map, tokens, length } = block;
  const inlines: MarkdownInline[] = [];
  let link: { inline: MarkdownInline; start: number } | undefined;
  for (const [index, { token, start: tokenStart }] of tokens.entries()) {
    const end = tokens[index + 1]?.start ?? length;
    const into = link?.inline.inlines ?? inlines;
    const start = Math.max(tokenStart, skipped);
    if (token.type === 'text') {
      // An emphasis marker is a text token without content.
      const textEnd = tokenStart + token.content.length;
      for (const range of map.rangesOf(start, textEnd))
        into.push({ type: 'text', value: source.slice(range.start, range.end), ...range });
    } else if (token.type === 'text_special') {
      const type = token.info === 'entity' ? 'entity' : 'escape';
      into.push({ type, value: token.content, ...map.rangeOf(start, end) });
    } else if (token.type === 'link_open') {
      const type = linkType(token);
      const value = String(token.attrGet('href'));
      const inline: MarkdownInline = { type, value, start: 0, end: 0, inlines: [] };
      inlines.push(inline);
      link = { inline, start };
    } else if (token.type === 'link_close' && link) {
      Object.assign(link.inline, map.rangeOf(link.start, end));
      if (token.markup === 'autolink') delete link.inline.inlines;
      link = undefined;
    } else {
      const type = TYPES[token.type];
      if (!type) continue;
      const range = map.rangeOf(start, end);
      if (type === 'line-end')
        range.end = range.start + (source.startsWith('\r\n', range.start) ? 2 : 1);
      into.push({ type, value: source.slice(range.start, range.end), ...range });
    }
  }
  return inlines;
}

/** Only a reference has a label that a definition sets. */
function linkType({ meta }: Token): MarkdownInline['type'] {
  return (meta as { label?: string } | null)?.label === undefined ? 'link' : 'reference';
}
