import { Plugin, type Command, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  setAlignment,
} from '../commands.js';
import type { Alignment } from '../schema.js';
import { elementOf, iconButton, iconOf, ICONS } from './elements.js';
import { isInUse, keepFocus, moveFocus, Popup, visibleArea, type Place } from './popup.js';
import { run } from './steps.js';

interface Item {
  name: string;
  icon: string;
  command: Command;
  align?: Alignment;
}

const ITEMS: readonly Item[] = [
  { name: 'Insert row above', icon: ICONS.rowAbove, command: addRowBefore },
  { name: 'Insert row below', icon: ICONS.rowBelow, command: addRowAfter },
  { name: 'Insert column left', icon: ICONS.columnLeft, command: addColumnBefore },
  { name: 'Insert column right', icon: ICONS.columnRight, command: addColumnAfter },
  { name: 'Align left', icon: ICONS.alignLeft, align: 'left', command: setAlignment('left') },
  {
    name: 'Align center',
    icon: ICONS.alignCenter,
    align: 'center',
    command: setAlignment('center'),
  },
  { name: 'Align right', icon: ICONS.alignRight, align: 'right', command: setAlignment('right') },
  { name: 'Delete row', icon: ICONS.remove, command: deleteRow },
  { name: 'Delete column', icon: ICONS.remove, command: deleteColumn },
  { name: 'Delete table', icon: ICONS.remove, command: deleteTable },
];

/** Items after a separator. */
const STARTS = new Set([4, 7]);

/** Half of the button's height, in px. The button is on the table's edge. */
const HALF = 12;

/** Returns the position before the table around the selection. */
function tableAround({ selection: { $from } }: EditorState): number | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if ($from.node(depth).type.spec['tableRole'] === 'table') return $from.before(depth);
  }
  return undefined;
}

function alignmentOf({ selection: { $from } }: EditorState): Alignment {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { type, attrs } = $from.node(depth);
    if (/cell/.test(String(type.spec['tableRole']))) return attrs['align'] as Alignment;
  }
  return null;
}

/** A button at the corner of the table around the caret. */
class TableButton extends Popup {
  readonly button = iconButton('Table options', ICONS.more, 'Table options (Alt+F10)');

  constructor(view: EditorView, onClick: () => void) {
    super(view, elementOf('div', { class: 'tools-corner' }));
    this.button.setAttribute('aria-haspopup', 'menu');
    this.button.setAttribute('aria-expanded', 'false');
    // Tab moves between cells. Alt+F10 opens the menu.
    this.button.tabIndex = -1;
    this.dom.append(this.button);
    keepFocus(this.dom);
    this.button.addEventListener('click', onClick);
  }

  protected place(): Place | undefined {
    const { view } = this;
    const position = tableAround(view.state);
    if (!view.editable || position === undefined || !isInUse(view)) return undefined;
    const frame = view.nodeDOM(position);
    const table = frame instanceof HTMLElement ? frame.querySelector('table') : null;
    if (!(frame instanceof HTMLElement) || !table) return undefined;
    const { left, top, bottom } = table.getBoundingClientRect();
    // A wide table scrolls inside its frame.
    const edge = frame.getBoundingClientRect().right;
    const right = Math.min(table.getBoundingClientRect().right, edge);
    const area = visibleArea(view);
    if (bottom < area.top + HALF || top > area.bottom) return undefined;
    return { anchor: { left, right, top, bottom }, side: 'corner', gap: -HALF };
  }
}

class TableMenu extends Popup {
  private readonly opener: TableButton;
  private readonly items: readonly HTMLButtonElement[];
  private isWanted = false;

  constructor(view: EditorView) {
    const dom = elementOf('div', {
      class: 'tools-popup tools-menu',
      role: 'menu',
      'aria-label': 'Table options',
    });
    super(view, dom);
    this.opener = new TableButton(view, () => {
      if (this.isWanted) this.close();
      else this.open();
    });
    this.items = ITEMS.map((item) => this.itemOf(item));
    for (const [index, item] of this.items.entries()) {
      if (STARTS.has(index)) dom.append(elementOf('div', { role: 'separator' }));
      dom.append(item);
    }
    keepFocus(dom);
    dom.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape' || event.key === 'Tab') {
        event.preventDefault();
        this.close();
        view.focus();
      } else moveFocus(event, this.items, ['ArrowUp', 'ArrowDown']);
    });
    dom.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && dom.contains(relatedTarget);
      if (!isInside && document.hasFocus()) this.close();
    });
  }

  override update(): void {
    this.opener.update();
    super.update();
  }

  override destroy(): void {
    this.opener.destroy();
    super.destroy();
  }

  /** Opens the menu. Returns false outside of tables. */
  open(): boolean {
    if (!this.opener.isOpen) return false;
    this.isWanted = true;
    this.opener.button.setAttribute('aria-expanded', 'true');
    this.refresh();
    this.items.find((item) => !item.disabled)?.focus();
    return true;
  }

  protected place(): Place | undefined {
    if (!this.isWanted) return undefined;
    const { left, right, top, bottom } = this.opener.button.getBoundingClientRect();
    const width = this.dom.offsetWidth;
    return { anchor: { left: Math.min(left, right - width), right, top, bottom }, side: 'below' };
  }

  protected override render(): void {
    const { state } = this.view;
    const alignment = alignmentOf(state);
    for (const [index, { command, align }] of ITEMS.entries()) {
      const item = this.items[index];
      if (!item) continue;
      item.disabled = !command(state);
      if (align !== undefined) item.setAttribute('aria-checked', String(alignment === align));
    }
  }

  private close(): void {
    if (!this.isWanted) return;
    this.isWanted = false;
    this.opener.button.setAttribute('aria-expanded', 'false');
    this.refresh();
  }

  private itemOf({ name, icon, command, align }: Item): HTMLButtonElement {
    const role = align === undefined ? 'menuitem' : 'menuitemradio';
    const item = elementOf('button', { type: 'button', role, tabindex: '-1' }, iconOf(icon), name);
    item.addEventListener('click', () => {
      this.close();
      run(this.view, command);
    });
    return item;
  }
}

/** A menu for the table around the caret. */
export function tableMenu(): Plugin {
  let menu: TableMenu | undefined;
  return new Plugin({
    view: (view) => (menu = new TableMenu(view)),
    props: {
      handleKeyDown: (_view, { key, altKey }) => altKey && key === 'F10' && menu?.open() === true,
    },
  });
}
