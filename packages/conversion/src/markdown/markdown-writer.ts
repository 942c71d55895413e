import type { Block, List, ListItem, RichText, Table, TableCell } from '../rich-text/rich-text.js';
import { inlinesOf } from '../rich-text/rich-text.js';
import { writeInlines } from './markdown-inlines.js';

/** Formatted text as Markdown that reads as the same text. Blocks are parted by an empty line; ends without one. */
export function writeMarkdown({ blocks }: RichText): string {
  return writeBlocks(blocks);
}

function writeBlocks(blocks: readonly Block[], separator = '\n\n'): string {
  const written: string[] = [];
  let before: Block | undefined;
  let alternate = false;
  for (const block of blocks) {
    // Two lists of one kind after each other would be read as one, were their marks the same.
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
      // Of the three ways to write a rule the one that is never the mark of a list or of a heading.
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

/** A list whose items have one paragraph, and lists in it, needs no empty lines. */
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
  // What begins with four spaces or stands empty after its mark would be read as something else.
  const lines = indent(box + written, ' '.repeat(mark.length), '');
  return mark + lines.slice(mark.length);
}

function writeCode(language: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text === '' ? '' : `${text}\n`}${fence}`;
}

function writeTable({ headed, rows, alignments }: Table): string {
  const write = (row: readonly TableCell[]) =>
    `| ${row.map(({ blocks }) => writeInlines(inlinesOf(blocks), 'cell')).join(' | ')} |`;
  const rulers = { left: ':---', center: ':---:', right: '---:' };
  const ruler = alignments.map((alignment) => (alignment ? rulers[alignment] : '---'));
  // Markdown has no table without a header: an empty one shows as none.
  const head = headed ? rows[0] : alignments.map(() => ({ blocks: [] }));
  const body = headed ? rows.slice(1) : rows;
  return [write(head ?? []), `| ${ruler.join(' | ')} |`, ...body.map(write)].join('\n');
}

/** `text` with a prefix before each line; empty lines have their own. */
function indent(text: string, prefix: string, emptyPrefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? emptyPrefix : prefix + line))
    .join('\n');
}
