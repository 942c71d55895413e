import { Fragment, type Attrs, type Mark, type Node } from 'prosemirror-model';
import { schema } from '../surface/schema.js';

/** Markdown that other text does not contain. */
const MARKDOWN = [
  // Headings. Comments in scripts start with one `#`, so that one needs blank lines around it.
  /^ {0,3}#{2,6} +\S/m,
  /(?:^|\n[ \t]*\n) {0,3}# +\S.*(?:\n[ \t]*\n|\n?$)/,
  // Fenced code.
  /^ {0,3}(`{3,}|~{3,})[^`\n]*\n(?:[^]*\n)? {0,3}\1[ \t]*$/m,
  // The line below the head of a table.
  /^[^|\n]*\|.*\n[ >]*\|?(?: *:?-+:? *\|)+(?: *:?-+:?)? *$/m,
  // Checkboxes.
  /^[ \t]*(?:[-*+]|\d{1,9}[.)]) \[[ xX]\] +\S/m,
  // Links and images. `list[i](x)` is code.
  /(?<![\w\\])\[[^\]\n]{1,1000}\]\((?:<[^<>\n]+>|[^\s()]*[.:/#][^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?: +"[^"\n]*")?\)/,
  /(?<!\\)!\[[^\]\n]{0,1000}\]\([^\s()]+\)/,
  // Bold. `2**3**4` and `**kwargs` are code.
  /(?<![\w*\\])\*\*(?![\s*])[^*\n]*[^\s*]\*\*(?![\w*])/,
];

/** Code, struck-out and emphasized words. */
const MARKED = [
  /(?<![\w`\\])`([^`]+)`(?![\w`])/g,
  /(?<![\w~\\])~~(?![\s~])([^~]*[^\s~])~~(?![\w~])/g,
  /(?<![\w*\\])\*(?![\s*])([^*]*[^\s*])\*(?![\w*])/g,
];

/** Bullets and quote marks at the start of a line. */
const BULLETS = /^(?:\s*(?:[-*+>](?=\s|$)))+/;

/** Addresses that the service links. */
const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"]*[^\s<>"'.,:;!?()[\]{}*_~`|\\]/gi;

/**
 * Returns the blocks of text that is pasted without HTML, or undefined if it is not Markdown. `read` reads Markdown.
 *
 * Text is Markdown if it contains what only Markdown has: a heading, fenced code, a table, a checkbox, a link with an
 * address, an image, or `**bold**` words. It is also Markdown if each of its lines stays one line with the same words:
 * lists, quotes, `code`, `~~struck~~` and `*emphasized*` words then only lose their marks. All other text keeps its
 * characters and its lines (see {@link plainBlocks}), so code, formulas and paths stay as they are.
 *
 * A single line within other text (`isInline`) starts no list, quote or heading.
 */
export function markdownIn(
  text: string,
  read: (markdown: string) => Fragment,
  { isInline }: { isInline: boolean },
): Fragment | undefined {
  const lines = linesOf(text);
  const blocks = read(text);
  const isMarkdown =
    MARKDOWN.some((construct) => construct.test(text)) || keepsLines(lines, blocks.content);
  const isOneLine = isInline && lines.length === 1;
  const fits = !isOneLine || blocks.firstChild?.type.name === 'paragraph';
  return isMarkdown && fits && isFormatted(blocks.content) ? blocks : undefined;
}

/**
 * Returns text as paragraphs with these marks: an empty line starts a paragraph, and any other line break is a break.
 * Addresses become links.
 */
export function plainBlocks(text: string, marks: readonly Mark[]): Fragment {
  const paragraphs = text
    .replaceAll(/^(?:[ \t]*\n)+|[ \t]*(?:\n[ \t]*)+$/g, '')
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => {
      // Markdown has no spaces at the edges of lines.
      const lines = paragraph.split(/[ \t]*\n[ \t]*/).map((line) => linked(line, marks));
      const inlines = lines.flatMap((line, index) =>
        index === 0 ? line : [schema.node('hard_break'), ...line],
      );
      return schema.node('paragraph', null, inlines);
    });
  return Fragment.fromArray(paragraphs);
}

function linked(line: string, marks: readonly Mark[]): Node[] {
  const result: Node[] = [];
  let at = 0;
  const add = (end: number, added: readonly Mark[]) => {
    if (end > at) result.push(schema.text(line.slice(at, end), added));
    at = end;
  };
  if (!marks.some(({ type }) => type.name === 'link')) {
    for (const { index, 0: href } of line.matchAll(ADDRESS)) {
      add(index, marks);
      add(index + href.length, schema.mark('link', { href }).addToSet(marks));
    }
  }
  add(line.length, marks);
  return result;
}

/** Returns the lines that contain text, without spaces at their edges. */
function linesOf(text: string): string[] {
  return text.split('\n').map(spaced).filter(Boolean);
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** True if the blocks have the lines of the Markdown that they were read from, without its marks. */
function keepsLines(lines: readonly string[], blocks: readonly Node[]): boolean {
  const read = allLines(blocks.map(visibleLines));
  return (
    read?.length === lines.length &&
    lines.every((line, index) => {
      const words = MARKED.reduce(
        (unmarked, mark) => unmarked.replaceAll(mark, '$1'),
        line.replace(BULLETS, ''),
      );
      return spaced(words) === read[index];
    })
  );
}

/** Returns the lines that a reader sees, with numbers. Returns undefined for blocks that have other marks. */
function visibleLines(block: Node): string[] | undefined {
  const { type, attrs, children, content } = block;
  switch (type.name) {
    case 'paragraph':
      if (children.some(({ marks }) => marks.some((mark) => mark.type.name === 'html')))
        return undefined;
      return linesOf(block.textBetween(0, content.size, undefined, '\n'));
    case 'list_item':
    case 'blockquote':
    case 'bullet_list':
      return allLines(children.map(visibleLines));
    case 'ordered_list':
      return allLines(children.map((item, index) => numbered(visibleLines(item), attrs, index)));
    default:
      return undefined;
  }
}

function numbered(
  lines: readonly string[] | undefined,
  { order, delimiter }: Attrs,
  index: number,
) {
  if (!lines) return undefined;
  const [first = '', ...others] = lines;
  return [spaced(`${String(Number(order) + index)}${String(delimiter)} ${first}`), ...others];
}

function allLines(parts: readonly (readonly string[] | undefined)[]): string[] | undefined {
  return parts.includes(undefined) ? undefined : parts.flatMap((lines) => lines ?? []);
}

/** True if the blocks are more than paragraphs of unmarked text and addresses. */
function isFormatted(blocks: readonly Node[]): boolean {
  return blocks.some(
    ({ type, children }) =>
      type.name !== 'paragraph' ||
      children.some(
        (inline) =>
          inline.type.name === 'image' ||
          inline.marks.some(
            ({ type: mark, attrs }) => mark.name !== 'link' || attrs['href'] !== inline.text,
          ),
      ),
  );
}
