import { WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { Construct, LivePage } from './page.js';

/** Hides the marks of an element, such as `**`, unless the selection touches it. */
function hideMarks(mark: string) {
  return (node: SyntaxNode, page: LivePage) => {
    if (page.isTouched(node)) return;
    for (const child of node.getChildren(mark)) page.hide(child);
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  laquo: '«',
  raquo: '»',
  euro: '€',
  times: '×',
  rarr: '→',
  larr: '←',
};

/** Returns the character of `&name;` or `&#number;`, or undefined for a name that is not in `ENTITIES`. */
function characterOf(entity: string): string | undefined {
  const [, hex, decimal, name = ''] = /^&(?:#x([\da-f]+)|#(\d+)|(\w+));$/i.exec(entity) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!Number.isInteger(code)) return ENTITIES[name];
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}

class Character extends WidgetType {
  constructor(private readonly character: string) {
    super();
  }

  override eq(other: Character): boolean {
    return other.character === this.character;
  }

  override toDOM(): HTMLElement {
    const span = document.createElement('span');
    span.textContent = this.character;
    return span;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

export const inlineMarks: Construct = {
  Emphasis: hideMarks('EmphasisMark'),
  StrongEmphasis: hideMarks('EmphasisMark'),
  Strikethrough: hideMarks('StrikethroughMark'),
  InlineCode: (node, page) => {
    page.mark(node, 'cm-inline-code');
    hideMarks('CodeMark')(node, page);
  },
  Escape: (node, page) => {
    if (!page.isTouched(node)) page.hide({ from: node.from, to: node.from + 1 });
  },
  HardBreak: (node, page) => {
    const isBackslash = page.text(node).startsWith('\\');
    if (isBackslash && !page.isTouched(node)) page.hide({ from: node.from, to: node.from + 1 });
  },
  Entity: (node, page) => {
    const character = characterOf(page.text(node));
    if (character !== undefined && !page.isTouched(node))
      page.replace(node, new Character(character));
  },
  HTMLTag: (node, page) => {
    page.mark(node, 'cm-html');
  },
  Comment: (node, page) => {
    page.mark(node, 'cm-html');
  },
};
