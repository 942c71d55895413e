import type { Node, NodeType } from 'prosemirror-model';
import { Plugin, type Transaction } from 'prosemirror-state';

/** Calls `fix` with the nodes of a type that a change touched. It must not move positions. */
export function fixingPlugin(
  type: NodeType,
  fix: (transaction: Transaction, node: Node, position: number) => void,
): Plugin {
  return new Plugin({
    appendTransaction: (transactions, _, { doc, tr }) => {
      const range = changedRange(transactions);
      if (!range) return undefined;
      const to = Math.min(range.to + 1, doc.content.size);
      doc.nodesBetween(Math.max(0, range.from - 1), to, (node, position) => {
        if (node.type === type) fix(tr, node, position);
        return !node.isTextblock;
      });
      return tr.docChanged ? tr : undefined;
    },
  });
}

/** Returns the positions between which the document changed. */
function changedRange(
  transactions: readonly Transaction[],
): { from: number; to: number } | undefined {
  let range: { from: number; to: number } | undefined;
  for (const map of transactions.flatMap(({ mapping }) => mapping.maps)) {
    if (range) range = { from: map.map(range.from, -1), to: map.map(range.to, 1) };
    map.forEach((_start, _end, from, to) => {
      range = { from: Math.min(range?.from ?? from, from), to: Math.max(range?.to ?? to, to) };
    });
  }
  return range;
}
