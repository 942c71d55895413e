import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { REL, safeAddress } from '../../addresses.js';
import { keyName } from '../../../../../components/key-names.js';
import { linkAround } from '../commands.js';
import { elementOf } from './elements.js';
import { openLinkDialog } from './link-dialog.js';
import { boxBetween, keepFocus, moveFocus, Popup, type Place } from './popup.js';

/** Shows the address of the link around the caret. */
class LinkTooltip extends Popup {
  private readonly address = elementOf('span', { class: 'tools-address' });
  private readonly open = elementOf(
    'a',
    { target: '_blank', rel: REL, title: 'Open link (Alt+Enter)', tabindex: '-1' },
    'Open',
  );
  private readonly edit = elementOf(
    'button',
    { type: 'button', title: `Edit link (${keyName('Ctrl+K')})`, tabindex: '-1' },
    'Edit',
  );

  constructor(view: EditorView) {
    const dom = elementOf('div', {
      class: 'tools-popup tools-tooltip',
      role: 'group',
      'aria-label': 'Link at the caret',
    });
    super(view, dom);
    dom.append(this.address, this.open, this.edit);
    keepFocus(dom);
    this.edit.addEventListener('click', () => {
      openLinkDialog(view.state, view.dispatch);
    });
    dom.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        view.focus();
      } else moveFocus(event, this.controls, ['ArrowLeft', 'ArrowRight']);
    });
  }

  focus(): boolean {
    if (!this.isOpen) return false;
    this.controls[0]?.focus();
    return true;
  }

  protected place(): Place | undefined {
    const { state } = this.view;
    if (!this.view.editable || !state.selection.empty || !this.isActive) return undefined;
    const link = linkAround(state);
    if (!link) return undefined;
    const href = safeAddress(link.href);
    this.address.textContent = link.href;
    this.address.title = link.href;
    this.open.hidden = href === undefined;
    this.open.href = href ?? '';
    return { anchor: boxBetween(this.view, link.from, link.to), side: 'below' };
  }

  private get controls(): HTMLElement[] {
    return this.open.hidden ? [this.edit] : [this.open, this.edit];
  }
}

/** Shows the address of the link around the caret. */
export function linkTooltip(): Plugin {
  let tooltip: LinkTooltip | undefined;
  return new Plugin({
    view: (view) => (tooltip = new LinkTooltip(view)),
    props: {
      handleKeyDown: (_view, { key, altKey }) =>
        altKey && key === 'F10' && tooltip?.focus() === true,
    },
  });
}
