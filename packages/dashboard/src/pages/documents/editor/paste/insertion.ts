import { Fragment, Slice, type Node, type ResolvedPos } from 'prosemirror-model';
import { Selection, type Transaction } from 'prosemirror-state';
import { schema } from '../surface/schema.js';

const { nodes, marks } = schema;

/** Positions in a document. */
export interface Span {
  from: number;
  to: number;
}

/** True if text at a position is code or HTML, where Markdown would be text. */
export function isInCode({ parent, nodeBefore, nodeAfter }: ResolvedPos): boolean {
  if (parent.type.spec.code) return true;
  return [marks.code, marks.html].some(
    (type) =>
      nodeBefore && nodeAfter && type.isInSet(nodeBefore.marks) && type.isInSet(nodeAfter.marks),
  );
}

function isInside(place: ResolvedPos, ...names: readonly string[]): boolean {
  for (let depth = place.depth; depth > 0; depth -= 1) {
    if (names.includes(place.node(depth).type.name)) return true;
  }
  return false;
}

/** True if a range is in a table cell, which takes one line. */
export function isInCell(place: ResolvedPos): boolean {
  return isInside(place, 'table_cell', 'table_header');
}

/** True if the block around a range has no other text. */
export function isBlank(doc: Node, { from, to }: Span): boolean {
  const [start, end] = [doc.resolve(from), doc.resolve(to)];
  return start.parentOffset === 0 && end.parentOffset === end.parent.content.size;
}

/**
 * Returns a slice of blocks for a place. Paragraphs at its edges join the adjacent text, and in a list the items of a
 * list follow the item there. Other blocks stand apart.
 */
export function sliceOf(blocks: Fragment, place: ResolvedPos): Slice {
  const isInList = isInside(place, 'list_item');
  const joins = (node: Node | null) =>
    node?.type === nodes.paragraph || (isInList && node?.firstChild?.type.name === 'list_item');
  return new Slice(blocks, joins(blocks.firstChild) ? 1 : 0, joins(blocks.lastChild) ? 1 : 0);
}

/**
 * Replaces a range. The slice stays in the quote, list item or table cell of the range. Returns the selection behind
 * it.
 */
export function insertSlice(tr: Transaction, { from, to }: Span, slice: Slice): Selection {
  const place = tr.doc.resolve(from);
  let fitting = slice;
  if (isInCell(place)) fitting = new Slice(lineOf(slice.content), 0, 0);
  else if (place.parent.type === nodes.heading) fitting = withoutFirstBreaks(slice);
  const steps = tr.steps.length;
  tr.replaceRange(from, to, fitting);
  return selectionBehind(tr, steps, to);
}

/** Returns the selection at the end of what the steps of a transaction inserted. */
function selectionBehind(tr: Transaction, firstStep: number, to: number): Selection {
  let end: number | undefined;
  if (tr.steps.length > firstStep) {
    tr.mapping.maps.at(-1)?.forEach((_from, _to, _start, newEnd) => {
      end ??= newEnd;
    });
  }
  let place = tr.doc.resolve(end ?? tr.mapping.slice(firstStep).map(to));
  // The rest of a split block begins here.
  if (place.parent.isTextblock && place.parentOffset === 0 && place.depth > 0) {
    place = tr.doc.resolve(place.before());
  }
  if (place.parent.inlineContent) return Selection.near(place, -1);
  return (
    Selection.findFrom(place, -1, true) ??
    Selection.findFrom(place, 1, true) ??
    Selection.near(place)
  );
}

/** Returns the position between top-level blocks at or after a position. */
export function boundaryAt(doc: Node, position: number): number {
  const place = doc.resolve(Math.min(position, doc.content.size));
  return place.depth === 0 ? place.pos : place.after(1);
}

/**
 * Inserts blocks at a position between top-level blocks, or instead of an empty paragraph before it. Returns the
 * position after them.
 */
export function insertBlocks(tr: Transaction, at: number, blocks: Fragment): number {
  const { nodeBefore } = tr.doc.resolve(at);
  const isEmpty = nodeBefore?.type === nodes.paragraph && nodeBefore.content.size === 0;
  const from = isEmpty ? at - nodeBefore.nodeSize : at;
  tr.replaceWith(from, at, blocks);
  return from + blocks.size;
}

/** Replaces the line breaks in the first block, which a heading cannot contain. */
function withoutFirstBreaks(slice: Slice): Slice {
  const { firstChild } = slice.content;
  if (!firstChild?.isTextblock) return slice;
  const inlines = firstChild.children.map((node) =>
    node.type === nodes.hard_break ? schema.text(' ', node.marks) : node,
  );
  const first = firstChild.copy(Fragment.fromArray(inlines));
  return new Slice(slice.content.replaceChild(0, first), slice.openStart, slice.openEnd);
}

/** Returns blocks as the text of a table cell: a break separates them. */
function lineOf(content: Fragment): Fragment {
  const lines = linesOf(content.content);
  const line = lines.flatMap((inlines, index) =>
    index === 0 ? inlines : [schema.node('hard_break'), ...inlines],
  );
  return Fragment.fromArray(line);
}

type Line = readonly Node[];

function linesOf(content: readonly Node[]): Line[] {
  if (content[0]?.isInline) return [content];
  return content.flatMap((block) => linesOfBlock(block));
}

function linesOfBlock(block: Node): Line[] {
  const { type, textContent, children } = block;
  switch (type.name) {
    case 'paragraph':
    case 'heading':
      return children.length > 0 ? [children] : [];
    case 'code_block':
    case 'raw_block':
      return textContent
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => [
          schema.text(line, type.name === 'code_block' ? [schema.mark('code')] : []),
        ]);
    case 'bullet_list':
    case 'ordered_list':
      return children.flatMap((item, index) => {
        const [first = [], ...rest] = linesOf(item.children);
        return [[schema.text(markerOf(block, index)), ...first], ...rest];
      });
    case 'table_row':
      return [
        children.flatMap((cell, index) => [
          ...(index === 0 ? [] : [schema.text(' | ')]),
          ...(cell.firstChild?.children ?? []),
        ]),
      ];
    default:
      return linesOf(children);
  }
}

/** Returns the bullet or number of an item as text, with a space behind it. */
function markerOf({ type, attrs }: Node, index: number): string {
  if (type !== nodes.ordered_list) return '• ';
  return `${String(Number(attrs['order']) + index)}${String(attrs['delimiter'])} `;
}
