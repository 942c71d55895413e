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
  let hasChanged = false;
  node.forEach((child, offset, index) => {
    const from = at + 1 + offset;
    const isOnly = kept === -1 && index === 0;
    if (isEmpty(texts[index]) && !isOnly && !isTaskText(node, index)) {
      removed.push({ from, to: from + child.nodeSize });
      hasChanged = true;
      return;
    }
    const result = bareAt(child, from, removed);
    hasChanged ||= result !== child;
    children.push(result);
  });
  return hasChanged ? node.copy(Fragment.fromArray(children)) : node;
}

/** `start` is the position of the content. */
function bareText(node: Node, start: number, removed: Range[]): Node {
  const inline = settledInline(node);
  const positions = new Map<Node, number>();
  let at = start;
  for (const child of inline) {
    positions.set(child, at);
    at += child.nodeSize;
  }
  const kept: Node[] = [];
  /** Spaces and breaks that are part of the text only if text follows. */
  let pending: Node[] = [];
  const remove = (child: Node, from = 0, to = child.nodeSize) => {
    const position = positions.get(child) ?? start;
    removed.push({ from: position + from, to: position + to });
  };
  const cutEnd = () => {
    for (let last = kept.at(-1); last && isTrimmable(last); last = kept.at(-1)) {
      const text = (last.text ?? '').replace(/[ \t]+$/, '');
      if (text === last.text) return;
      kept.pop();
      remove(last, text.length);
      if (text !== '') {
        const shorter = schema.text(text, last.marks);
        positions.set(shorter, positions.get(last) ?? start);
        kept.push(shorter);
      }
    }
  };
  let isAtStart = true;
  for (const child of inline) {
    if (child.type === nodes['hard_break']) {
      if (pending.length === 0) cutEnd();
      pending.push(child);
      isAtStart = true;
      continue;
    }
    const indent =
      isAtStart && isTrimmable(child) ? (/^[ \t]+/.exec(child.text ?? '')?.[0].length ?? 0) : 0;
    if (indent > 0) remove(child, 0, indent);
    if (indent === child.nodeSize) continue;
    kept.push(...pending);
    pending = [];
    kept.push(indent > 0 ? cut(child, indent, positions) : child);
    isAtStart = false;
  }
  for (const child of pending) remove(child);
  if (pending.length === 0) cutEnd();
  removed.sort((one, other) => one.from - other.from);
  const isSame =
    kept.length === node.childCount && kept.every((child, index) => child === node.child(index));
  return isSame ? node : node.copy(joined(kept));
}

function isTrimmable(node: Node): boolean {
  return node.isText && !node.marks.some(({ type }) => type.spec.code);
}

function cut(node: Node, from: number, positions: Map<Node, number>): Node {
  const rest = schema.text((node.text ?? '').slice(from), node.marks);
  positions.set(rest, (positions.get(node) ?? 0) + from);
  return rest;
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
