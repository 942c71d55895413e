import { Fragment, Mark, type Node } from 'prosemirror-model';
import { schema } from './schema.js';
import { isEmptyParagraph, isTaskText, settledInline } from './write.js';

const { nodes } = schema;

/** From `from` up to before `to`, as positions in a node, 0 before it. */
interface Range {
  from: number;
  to: number;
}

/** A node without what Markdown cannot hold: spaces at the edges of texts and marks, and empty paragraphs. */
export interface BareNode {
  node: Node;
  /** What was removed, in order. */
  removed: readonly Range[];
}

export function bare(node: Node): BareNode {
  const removed: Range[] = [];
  return { node: bareAt(node, 0, removed), removed };
}

/** Returns the position in the bare node of a position in the node. */
export function toBare({ removed }: BareNode, position: number): number {
  let shift = 0;
  for (const { from, to } of removed) {
    if (from >= position) break;
    shift += Math.min(to, position) - from;
  }
  return position - shift;
}

/** Returns the position in the node of a position in the bare node: before or after what was removed there. */
export function fromBare({ removed }: BareNode, position: number, side: -1 | 1): number {
  let at = position;
  for (const { from, to } of removed) {
    if (from > at || (from === at && side === -1)) break;
    at += to - from;
  }
  return at;
}

function bareAt(node: Node, at: number, removed: Range[]): Node {
  if (node.isTextblock) return node.type.spec.code ? node : bareText(node, at + 1, removed);
  if (node.isLeaf) return node;
  const children: Node[] = [];
  const texts = node.content.content.map((child) =>
    child.type === nodes['paragraph'] ? bareAt(child, 0, []) : child,
  );
  const isEmpty = (child: Node | undefined) => child !== undefined && isEmptyParagraph(child);
  const kept = texts.findIndex((child) => !isEmpty(child));
  node.forEach((child, offset, index) => {
    const from = at + 1 + offset;
    const isOnly = kept === -1 && index === 0;
    if (isEmpty(texts[index]) && !isOnly && !isTaskText(node, index)) {
      removed.push({ from, to: from + child.nodeSize });
      return;
    }
    children.push(bareAt(child, from, removed));
  });
  const isSame =
    children.length === node.childCount &&
    children.every((child, index) => child === node.child(index));
  return isSame ? node : node.copy(Fragment.fromArray(children));
}

/** An inline node and its position, with the spaces that Markdown keeps. */
interface Piece {
  node: Node;
  position: number;
}

/** `start` is the position of the content. */
function bareText(node: Node, start: number, removed: Range[]): Node {
  const text = new BareText(removed);
  let position = start;
  for (const child of settledInline(node)) {
    if (child.type === nodes['hard_break']) text.addBreak({ node: child, position });
    else text.add({ node: child, position });
    position += child.nodeSize;
  }
  const kept = text.finish();
  removed.sort((one, other) => one.from - other.from);
  const isSame =
    kept.length === node.childCount && kept.every((child, index) => child === node.child(index));
  return isSame ? node : node.copy(joined(kept));
}

/** Collects inline nodes without the spaces at both ends and around breaks. */
class BareText {
  private readonly kept: Piece[] = [];
  /** Breaks that are part of the text only if text follows. */
  private pending: Piece[] = [];
  private isAtStart = true;

  constructor(private readonly removed: Range[]) {}

  addBreak(piece: Piece): void {
    if (this.pending.length === 0) this.cutEnd();
    this.pending.push(piece);
    this.isAtStart = true;
  }

  add(piece: Piece): void {
    const { node, position } = piece;
    const indent = this.isAtStart && isTrimmable(node) ? blanksAtStart(node) : 0;
    if (indent > 0) this.removed.push({ from: position, to: position + indent });
    if (indent === node.nodeSize) return;
    const rest = indent > 0 ? node.cut(indent) : node;
    this.kept.push(...this.pending, { node: rest, position: position + indent });
    this.pending = [];
    this.isAtStart = false;
  }

  finish(): Node[] {
    for (const { node, position } of this.pending) {
      this.removed.push({ from: position, to: position + node.nodeSize });
    }
    if (this.pending.length === 0) this.cutEnd();
    return this.kept.map(({ node }) => node);
  }

  private cutEnd(): void {
    for (let last = this.kept.at(-1); last && isTrimmable(last.node); last = this.kept.at(-1)) {
      const text = last.node.text ?? '';
      const { length } = text.replace(/[ \t]+$/, '');
      if (length === text.length) return;
      this.kept.pop();
      this.removed.push({ from: last.position + length, to: last.position + text.length });
      if (length > 0) this.kept.push({ ...last, node: last.node.cut(0, length) });
    }
  }
}

function isTrimmable(node: Node): boolean {
  return node.isText && !node.marks.some(({ type }) => type.spec.code);
}

function blanksAtStart(node: Node): number {
  return /^[ \t]+/.exec(node.text ?? '')?.[0].length ?? 0;
}

function joined(inline: readonly Node[]): Fragment {
  const nodesOf: Node[] = [];
  for (const node of inline) {
    const last = nodesOf.at(-1);
    if (last?.isText && node.isText && Mark.sameSet(last.marks, node.marks)) {
      nodesOf[nodesOf.length - 1] = schema.text((last.text ?? '') + (node.text ?? ''), node.marks);
    } else {
      nodesOf.push(node);
    }
  }
  return Fragment.fromArray(nodesOf);
}

/** Attributes that say how Markdown is written. */
const STYLE: ReadonlySet<string> = new Set([
  'mark',
  'delimiter',
  'tight',
  'underline',
  'fence',
  'markup',
  'kind',
]);

/** Returns true if two nodes look the same to a reader. */
export function looksSame(one: Node, other: Node): boolean {
  if (one === other) return true;
  if (one.type !== other.type || one.childCount !== other.childCount) return false;
  if (one.text !== other.text || !Mark.sameSet(one.marks, other.marks)) return false;
  const isSame = Object.keys(one.attrs).every(
    (name) => STYLE.has(name) || one.attrs[name] === other.attrs[name],
  );
  return (
    isSame && one.content.content.every((child, index) => looksSame(child, other.child(index)))
  );
}
