import type {
  Block,
  Footnote,
  List,
  ListItem,
  RichText,
  Table,
  TableCell,
} from '../rich-text/rich-text.js';
import { inlinesOf } from '../rich-text/rich-text.js';
import { writeInlines } from './markdown-inlines.js';

/**
 * Writes formatted text as Markdown that reads as the same text. Separates blocks with an empty line. Does not end with
 * a newline. Footnotes come last.
 */
export function writeMarkdown({ blocks, notes = [] }: RichText): string {
  const written = notes.map((note, index) => writeNote(note, index + 1));
  return [...(blocks.length > 0 ? [writeBlocks(blocks)] : []), ...written].join('\n\n');
}

function writeNote({ blocks }: Footnote, number: number): string {
  const written = indent(writeBlocks(blocks), '    ', '');
  // Only a paragraph can share the line of its label.
  const isText = blocks[0]?.kind === 'paragraph';
  return `[^${String(number)}]:${isText ? ` ${written.slice(4)}` : `\n${written}`}`;
}

function writeBlocks(blocks: readonly Block[], separator = '\n\n'): string {
  const written: string[] = [];
  let before: Block | undefined;
  let alternate = false;
  for (const block of blocks) {
    // Adjacent lists of the same kind need different markers, or they would be read as one list.
    alternate = continues(before, block) && !alternate;
    written.push(writeBlock(block, alternate));
    before = block;
  }
  return written.join(separator);
}

function continues(before: Block | undefined, block: Block): boolean {
  if (before?.kind !== 'list' || block.kind !== 'list') return false;
  return (before.start === undefined) === (block.start === undefined);
}

function writeBlock(block: Block, alternate: boolean): string {
  switch (block.kind) {
    case 'paragraph':
      return writeInlines(block.inlines, 'paragraph');
    case 'heading':
      return `${'#'.repeat(block.level)} ${writeInlines(block.inlines, 'line')}`;
    case 'quote':
      return indent(writeBlocks(block.blocks), '> ', '>');
    case 'list':
      return writeList(block, alternate);
    case 'code':
      return writeCode(block.language, block.text);
    case 'table':
      return writeTable(block);
    case 'rule':
      // Of the three ways to write a thematic break, this one is never read as a list item or a heading underline.
      return '___';
  }
}

function writeList({ start, items }: List, alternate: boolean): string {
  const tight = items.every(({ blocks }) => isTight(blocks));
  const written = items.map((item, index) => {
    const mark =
      start === undefined
        ? `${alternate ? '*' : '-'} `
        : `${String(start + index)}${alternate ? ')' : '.'} `;
    return writeItem(item, mark, tight);
  });
  return written.join(tight ? '\n' : '\n\n');
}

/** Returns true if a list needs no empty lines: each item has one paragraph and nested lists only. */
function isTight(blocks: readonly Block[]): boolean {
  return blocks.every((block, index) => {
    if (block.kind !== 'list') return index === 0 && block.kind === 'paragraph';
    // Only these may follow a paragraph without an empty line.
    const [first] = block.items;
    return index === 0 || ((block.start ?? 1) === 1 && first !== undefined && !isEmpty(first));
  });
}

function isEmpty({ blocks, checked }: ListItem): boolean {
  return blocks.length === 0 && checked === undefined;
}

function writeItem({ blocks, checked }: ListItem, mark: string, tight: boolean): string {
  const box = checked === undefined ? '' : `[${checked ? 'x' : ' '}] `;
  const written = writeBlocks(blocks, tight ? '\n' : '\n\n');
  // Content that starts with four spaces, or nothing after the marker, would be misread.
  const lines = indent(box + written, ' '.repeat(mark.length), '');
  return mark + lines.slice(mark.length);
}

function writeCode(language: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text === '' ? '' : `${text}\n`}${fence}`;
}

function writeTable({ rows, alignments }: Table): string {
  const write = (row: readonly TableCell[]) =>
    `| ${row.map(({ blocks }) => writeInlines(inlinesOf(blocks), 'cell')).join(' | ')} |`;
  const rulers = { left: ':---', center: ':---:', right: '---:' };
  const ruler = alignments.map((alignment) => (alignment ? rulers[alignment] : '---'));
  // Markdown tables require a header row. Most tables without header cells have their headings in the first row.
  const [head = [], ...body] = rows;
  return [write(head), `| ${ruler.join(' | ')} |`, ...body.map(write)].join('\n');
}

/** Adds a prefix to each line, and `emptyPrefix` to empty lines. */
function indent(text: string, prefix: string, emptyPrefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? emptyPrefix : prefix + line))
    .join('\n');
}
