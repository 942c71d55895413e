import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { elementOf, iconButton, ICONS } from './elements.js';
import { emptyBlockAt, openInsertMenu } from './insert-menu.js';
import { isPhone, keepFocus, Popup, visibleArea, type Place } from './popup.js';

/** Space that the button needs beside the text, in px. */
const MARGIN = 36;

/** A button beside the empty block below the pointer, or around the caret. */
class InsertButton extends Popup {
  private hovered: Element | undefined;

  constructor(view: EditorView) {
    super(view, elementOf('div', { class: 'tools-corner' }));
    const { dom } = this;
    const button = iconButton('Insert', ICONS.plus, 'Insert (/)');
    // The keyboard opens the menu with `/`.
    button.tabIndex = -1;
    dom.append(button);
    keepFocus(dom);
    button.addEventListener('click', () => {
      const position = this.position();
      if (position !== undefined) openInsertMenu(view, position);
    });
    view.dom.addEventListener('pointermove', this.hover);
    view.dom.addEventListener('pointerleave', this.leave);
    dom.addEventListener('pointerleave', this.leave);
  }

  override destroy(): void {
    this.view.dom.removeEventListener('pointermove', this.hover);
    this.view.dom.removeEventListener('pointerleave', this.leave);
    super.destroy();
  }

  protected place(): Place | undefined {
    const { view } = this;
    const position = this.position();
    if (!view.editable || isPhone() || position === undefined) return undefined;
    const { node } = view.domAtPos(position);
    const block = node instanceof Element ? node : node.parentElement;
    if (!block) return undefined;
    const anchor = block.getBoundingClientRect();
    const { top, bottom } = visibleArea(view);
    if (anchor.top < top || anchor.bottom > bottom) return undefined;
    return { anchor, side: anchor.left < MARGIN ? 'end' : 'before', gap: 4 };
  }

  private position(): number | undefined {
    const { view, hovered } = this;
    if (hovered?.isConnected === true) {
      const position = view.posAtDOM(hovered, 0);
      if (emptyBlockAt(view.state, position)) return position;
    }
    const { from, empty } = view.state.selection;
    return empty && this.isActive ? emptyBlockAt(view.state, from)?.from : undefined;
  }

  private readonly hover = ({ target, pointerType }: PointerEvent): void => {
    const block = target instanceof Element ? target.closest('p') : null;
    const hovered = block?.textContent === '' && pointerType === 'mouse' ? block : undefined;
    if (hovered === this.hovered) return;
    this.hovered = hovered;
    this.refresh();
  };

  private readonly leave = ({ relatedTarget }: PointerEvent): void => {
    // The pointer moves from the block to the button.
    if (relatedTarget instanceof Node && this.dom.contains(relatedTarget)) return;
    this.hovered = undefined;
    this.refresh();
  };
}

/** A button that opens the insert menu. */
export function insertButton(): Plugin {
  return new Plugin({ view: (view) => new InsertButton(view) });
}
