import { hoverTooltip } from '@codemirror/view';
import { REL } from './links.js';
import { isPlainMarkdown } from './mode.js';
import { addressAt } from './open-link.js';

/** Shows the address of a link below the pointer. Plain Markdown shows it in the text. */
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
