import { hoverTooltip, type Command, type EditorView } from '@codemirror/view';
import { addressOf, linkAt, safeAddress } from './addresses.js';
import { openAddress, REL } from './links.js';
import { isPlainMarkdown } from './mode.js';

function addressAt(view: EditorView, position: number) {
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

/** Shows the address of a link below the pointer. Plain Markdown shows it anyway. */
export const addressTooltip = hoverTooltip((view, position) => {
  const found = isPlainMarkdown() ? undefined : addressAt(view, position);
  if (!found) return null;
  const { node, address, href } = found;
  return {
    pos: node?.from ?? position,
    end: node?.to ?? position,
    above: false,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-address';
      const written = document.createElement('span');
      written.textContent = address;
      dom.append(written);
      if (href === undefined) return { dom };
      const anchor = document.createElement('a');
      Object.assign(anchor, { href, target: '_blank', rel: REL, textContent: 'Open link' });
      dom.append(anchor);
      return { dom };
    },
  };
});
