import { syntaxTree } from '@codemirror/language';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import { addressOf, safeAddress } from '../live/addresses.js';

/** Nodes whose text cannot become the text of a link. */
const UNLINKABLE = /^(?:Link|Image|Autolink|URL|LinkReference)$/;

/**
 * Makes the selected text a link to a pasted address. Returns undefined if it is not an address, or if no link fits.
 */
export function linkSelection(state: EditorState, pasted: string): TransactionSpec | undefined {
  const { from, to, empty } = state.selection.main;
  const address = pasted.trim();
  if (empty || /\s/.test(address) || !/^(?:https?:\/\/|mailto:)./i.test(address)) return undefined;
  const selected = state.sliceDoc(from, to);
  if (safeAddress(address) === undefined || selected.includes('\n') || selected.trim() === '')
    return undefined;
  let isLinkable = safeAddress(selected.trim()) === undefined;
  syntaxTree(state).iterate({
    from,
    to,
    enter: ({ name, node, from: start, to: end }) => {
      if (!UNLINKABLE.test(name) || start >= to || end <= from) return;
      // Brackets without an address are text.
      if (name !== 'Link' || addressOf(state, node) !== undefined) isLinkable = false;
    },
  });
  if (!isLinkable) return undefined;
  const text = selected.trim().replaceAll(/(?<!\\)[[\]]/g, String.raw`\$&`);
  const [, start = '', end = ''] = /^(\s*).*?(\s*)$/s.exec(selected) ?? [];
  const target = address.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E');
  const insert = `${start}[${text}](${/[()]/.test(target) ? `<${target}>` : target})${end}`;
  return { changes: { from, to, insert }, selection: { anchor: from + insert.length } };
}
