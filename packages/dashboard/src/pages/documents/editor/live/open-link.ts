import type { Command, EditorView } from '@codemirror/view';
import { addressOf, linkAt, safeAddress } from './addresses.js';
import { openAddress } from './links.js';

/** Returns the link at a position of the text. */
export function addressAt(view: EditorView, position: number) {
  const node = linkAt(view.state, position);
  const address = node && addressOf(view.state, node);
  return address === undefined ? undefined : { node, address, href: safeAddress(address) };
}

/** Opens the link at the caret. */
export const openLink: Command = (view) => {
  const { href } = addressAt(view, view.state.selection.main.head) ?? {};
  if (href === undefined) return false;
  openAddress(href);
  return true;
};
