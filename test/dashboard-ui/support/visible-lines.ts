import type { Mark, Node } from 'prosemirror-model';
import {
  normalizeLink,
  readMarkdown,
} from '../../../packages/conversion/src/markdown/markdown-reader.js';
import type { Block, Inline } from '../../../packages/conversion/src/rich-text/rich-text.js';

/** Returns what readers see of a document, line by line. */
export function linesOfNode(node: Node, prefix = ''): string[] {
  switch (node.type.name) {
    case 'paragraph':
      return textLines(`${prefix}p `, inlinesOfNode(node));
    case 'heading':
      return textLines(`${prefix}h${String(node.attrs['level'])} `, inlinesOfNode(node));
    case 'code_block':
      return [`${prefix}code ${node.textContent.replace(/\n+$/, '')}`];
    case 'horizontal_rule':
      return [`${prefix}rule`];
    case 'blockquote':
      return node.content.content.flatMap((child) => linesOfNode(child, `${prefix}> `));
    case 'bullet_list':
    case 'ordered_list':
      return node.content.content.flatMap((item, index) => {
        const sign =
          node.type.name === 'bullet_list' ? '-' : String(Number(node.attrs['order']) + index);
        const lines = item.content.content.flatMap((child) =>
          linesOfNode(child, `${prefix}${sign} `),
        );
        return item.attrs['checked'] === null
          ? lines
          : [`${prefix}task ${String(item.attrs['checked'])}`, ...lines];
      });
    case 'table':
      return node.content.content.map(
        (row) =>
          `${prefix}row ${row.content.content.map((cell) => `${String(cell.attrs['align'] ?? '')} ${inlinesOfNode(cell.firstChild as Node).join('')}`).join(' | ')}`,
      );
    case 'raw_block':
      return [];
    default:
      return node.content.content.flatMap((child) => linesOfNode(child, prefix));
  }
}

/** Empty texts are not exported. */
function textLines(prefix: string, inlines: readonly string[]): string[] {
  const text = inlines.join('');
  return text.trim() === '' ? [] : [prefix + text];
}

const NAMES: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  strike: 'strike',
  code: 'code',
};

function inlinesOfNode(node: Node): string[] {
  return node.content.content.map((child) => {
    const marks = child.marks
      .filter(({ type }) => type.name !== 'link')
      .map(({ type }) => NAMES[type.name] ?? type.name);
    const link = child.marks.find(({ type }: Mark) => type.name === 'link');
    if (child.type.name === 'hard_break') return '⏎';
    if (child.type.name === 'image')
      return run(
        `image ${normalizeLink(String(child.attrs['src']))} ${String(child.attrs['alt'])}`,
        [],
        link ? String(link.attrs['href']) : undefined,
      );
    return run(
      child.text ?? '',
      marks,
      link ? normalizeLink(String(link.attrs['href'])) : undefined,
    );
  });
}

function run(text: string, marks: readonly string[], link: string | undefined): string {
  const set = [...marks].sort((one, other) => one.localeCompare(other));
  if (link !== undefined) set.push(link);
  return set.length === 0 ? text : `{${set.join(',')}:${text}}`;
}

export function linesOfExport(markdown: string): string[] {
  return readMarkdown(markdown).blocks.flatMap((block) => linesOfBlock(block, ''));
}

function linesOfBlock(block: Block, prefix: string): string[] {
  switch (block.kind) {
    case 'paragraph':
      return textLines(`${prefix}p `, block.inlines.map(inlineOf));
    case 'heading':
      return textLines(`${prefix}h${String(block.level)} `, block.inlines.map(inlineOf));
    case 'code':
      return [`${prefix}code ${block.text.replace(/\n+$/, '')}`];
    case 'rule':
      return [`${prefix}rule`];
    case 'quote':
      return block.blocks.flatMap((child) => linesOfBlock(child, `${prefix}> `));
    case 'list':
      return block.items.flatMap((item, index) => {
        const sign = block.start === undefined ? '-' : String(block.start + index);
        const lines = item.blocks.flatMap((child) => linesOfBlock(child, `${prefix}${sign} `));
        return item.checked === undefined
          ? lines
          : [`${prefix}task ${String(item.checked)}`, ...lines];
      });
    case 'table':
      return block.rows.map(
        (row) =>
          `${prefix}row ${row.map((cell, column) => `${block.alignments[column] ?? ''} ${cell.blocks.flatMap((child) => ('inlines' in child ? child.inlines.map(inlineOf) : [])).join('')}`).join(' | ')}`,
      );
  }
}

function inlineOf(inline: Inline): string {
  switch (inline.kind) {
    case 'break':
      return '⏎';
    case 'note':
      return '[note]';
    case 'image':
      return run(`image ${inline.source} ${inline.description}`, [], inline.link);
    case 'text': {
      const { link, ...marks } = inline.marks;
      return run(inline.text, Object.keys(marks), link);
    }
  }
}
