import { lift } from 'prosemirror-commands';
import { Fragment, type Node, type NodeType } from 'prosemirror-model';
import { TextSelection, type Command, type EditorState, type Transaction } from 'prosemirror-state';
import { findWrapping, liftTarget } from 'prosemirror-transform';
import { schema } from '../schema.js';
import { liftItems } from './lists.js';
import { cellDepth, depthOf, itemDepth, selectedBlocks, type TextBlock } from './places.js';

const { nodes } = schema;

export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

export type BlockKind =
  | 'paragraph'
  | 'heading'
  | 'bullet_list'
  | 'ordered_list'
  | 'task_list'
  | 'blockquote'
  | 'code_block'
  | 'raw_block'
  | 'table'
  | 'horizontal_rule'
  | 'mixed';

/** Returns the kind of the selected blocks: the nearest list, quote or table for a paragraph in one. */
export function blockKindOf(state: EditorState): BlockKind {
  const blocks = selectedBlocks(state);
  const kinds = new Set(blocks.map((block) => kindOf(state.doc, block)));
  const [kind = 'horizontal_rule'] = kinds;
  return kinds.size > 1 ? 'mixed' : kind;
}

function kindOf(doc: Node, { node, position }: TextBlock): BlockKind {
  if (node.type !== nodes.paragraph)
    return node.type.name as 'heading' | 'code_block' | 'raw_block';
  const $inside = doc.resolve(position + 1);
  if (cellDepth($inside) > 0) return 'table';
  const item = itemDepth($inside);
  if (item > 0) {
    if ($inside.node(item).attrs['checked'] !== null) return 'task_list';
    return $inside.node(item - 1).type === nodes.ordered_list ? 'ordered_list' : 'bullet_list';
  }
  return isQuoted(doc, position) ? 'blockquote' : 'paragraph';
}

const isQuoted = (doc: Node, position: number) =>
  depthOf(doc.resolve(position), ({ type }) => type === nodes.blockquote) > 0;

/** Returns the level of the heading at the start of the selection, or undefined outside a heading. */
export function headingLevelOf({ selection }: EditorState): HeadingLevel | undefined {
  const { parent } = selection.$from;
  return parent.type === nodes.heading ? (parent.attrs['level'] as HeadingLevel) : undefined;
}

/** Returns inline content as a block of the other type can hold it, or undefined for an image in code. */
export function contentFor(content: Fragment, type: NodeType): Fragment | undefined {
  const { content: parts } = content;
  if (type.spec.code !== true)
    return Fragment.fromArray(parts.flatMap((node) => withoutLines(node, type)));
  if (parts.some((node) => node.type === nodes.image)) return undefined;
  return Fragment.from(parts.map(({ text }) => schema.text(text ?? '\n')));
}

/** Returns a node with breaks in place of newlines, and with spaces in place of both for a heading. */
function withoutLines(node: Node, type: NodeType): Node[] {
  const { text, marks } = node;
  const isHeading = type === nodes.heading;
  if (node.type === nodes.hard_break) return [isHeading ? schema.text(' ', marks) : node];
  return text?.includes('\n') === true ? linesOf(text, type) : [node];
}

/** Returns the lines of code as text with breaks, or with spaces for a heading. */
function linesOf(text: string, type: NodeType): Node[] {
  if (type === nodes.heading) return [schema.text(text.replaceAll('\n', ' '))];
  return text
    .split(/(\n)/)
    .filter((part) => part !== '')
    .map((part) => (part === '\n' ? nodes.hard_break.create() : schema.text(part)));
}

/** Turns blocks into paragraphs or headings. All text stays, and the selection stays in its place. */
export function retype(
  transaction: Transaction,
  blocks: readonly TextBlock[],
  type: NodeType,
  attributes: Readonly<Record<string, unknown>> | null = null,
): void {
  const bookmark = transaction.selection.getBookmark();
  for (const { node, position } of blocks) {
    const content = contentFor(node.content, type);
    // Both have the same size, because a break is as long as a newline or space.
    if (content && !content.eq(node.content))
      transaction.replaceWith(position, position + node.nodeSize, type.create(attributes, content));
    else transaction.setNodeMarkup(position, type, attributes);
  }
  transaction.setSelection(bookmark.resolve(transaction.doc));
}

/** Turns headings and code into paragraphs. Moves the items of a list with only paragraphs one level out. */
export const setParagraph: Command = (state, dispatch) => {
  const blocks = selectedBlocks(state);
  const others = blocks.filter(
    ({ node }) => node.type === nodes.heading || node.type === nodes.code_block,
  );
  if (others.length === 0) return liftItems(state, dispatch);
  if (dispatch) {
    const transaction = state.tr;
    retype(transaction, others, nodes.paragraph);
    dispatch(transaction.scrollIntoView());
  }
  return true;
};

/** Turns paragraphs and code into headings, except in items and table cells. */
export const setHeading =
  (level: HeadingLevel): Command =>
  (state, dispatch) => {
    const blocks = selectedBlocks(state).filter((block) => canBeHeading(state.doc, block));
    if (blocks.length === 0) return false;
    const changed = blocks.filter(
      ({ node }) => node.type !== nodes.heading || node.attrs['level'] !== level,
    );
    if (dispatch && changed.length > 0) {
      const transaction = state.tr;
      retype(transaction, changed, nodes.heading, { level });
      dispatch(transaction.scrollIntoView());
    }
    return true;
  };

function canBeHeading(doc: Node, { node, position }: TextBlock): boolean {
  const $inside = doc.resolve(position + 1);
  return node.type !== nodes.raw_block && itemDepth($inside) === 0 && cellDepth($inside) === 0;
}

/** Puts the blocks or whole lists of the selection in a quote, or takes them out of the nearest one. */
export const toggleQuote: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const quote = $from.blockRange($to, ({ type }) => type === nodes.blockquote);
  const target = quote && liftTarget(quote);
  if (quote && target !== null) {
    dispatch?.(state.tr.lift(quote, target).scrollIntoView());
    return true;
  }
  const range = $from.blockRange($to, ({ type }) => type === nodes.doc);
  const wrapping = range && findWrapping(range, nodes.blockquote);
  if (!wrapping) return false;
  dispatch?.(state.tr.wrap(range, wrapping).scrollIntoView());
  return true;
};

/** Turns the block at the caret out of a quote, if it is the quote's first. */
export const leaveQuote: Command = (state, dispatch, view) => {
  const { $from } = state.selection;
  if ($from.depth < 2 || $from.node(-1).type !== nodes.blockquote) return false;
  return lift(state, dispatch, view);
};

/** Returns a selection at the end of the text before a position. */
export const caretAt = (transaction: Transaction, position: number): Transaction =>
  transaction.setSelection(TextSelection.create(transaction.doc, position)).scrollIntoView();
