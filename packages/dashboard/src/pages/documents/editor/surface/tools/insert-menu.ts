import {
  Plugin,
  PluginKey,
  TextSelection,
  type EditorState,
  type Transaction,
} from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { elementOf, iconOf } from './elements.js';
import { filterItems } from './insert-filter.js';
import { ITEMS, type InsertItem } from './insert-items.js';
import { openImageDialog } from './link-dialog.js';
import { boxBetween, keepFocus, Popup, type Place } from './popup.js';
import { deleteAndRun, stateWithout } from './steps.js';

/** The menu for a `/` in an otherwise empty block. */
interface Menu {
  /** Position of the `/`. */
  from: number;
  /** Position after the query. */
  to: number;
  items: readonly InsertItem[];
  active: number;
  /** True if the button inserted the `/`. */
  byButton: boolean;
}

type Action = { open: 'button' } | { active: number } | 'close';

const key = new PluginKey<Menu | null>('insert-menu');
const LIST = 'writing-insert-menu';
const optionId = (index: number) => `${LIST}-${String(index)}`;

/** Returns the empty paragraph at a position, where blocks can be inserted. */
export function emptyBlockAt(state: EditorState, position: number): { from: number } | undefined {
  const place = state.doc.resolve(position);
  const { parent } = place;
  const isEmpty = parent.type.name === 'paragraph' && parent.content.size === 0;
  const isInCell = place.depth > 0 && place.node(-1).type.spec['tableRole'] !== undefined;
  return isEmpty && !isInCell ? { from: place.start() } : undefined;
}

/** Returns the menu for the text between `from` and the caret, or null if the caret left it. */
function menuAt(state: EditorState, from: number, before?: Menu): Menu | null {
  const { $from, empty } = state.selection;
  const query = $from.parent.textContent;
  if (!empty || from !== $from.start() || !query.startsWith('/') || $from.parentOffset === 0)
    return null;
  const to = from + $from.parent.content.size;
  const without = stateWithout(state, { from, to });
  const items = filterItems(ITEMS, query.slice(1)).filter(({ command }) => command(without));
  const isSame = before !== undefined && before.to === to;
  return {
    from,
    to,
    items,
    active: isSame ? before.active : 0,
    byButton: before?.byButton ?? false,
  };
}

function apply(transaction: Transaction, menu: Menu | null, old: EditorState, state: EditorState) {
  const action = transaction.getMeta(key) as Action | undefined;
  if (action === 'close') return null;
  if (action && 'active' in action) return menu && { ...menu, active: action.active };
  if (action) {
    const opened = menuAt(state, state.selection.$from.start());
    return opened && { ...opened, byButton: true };
  }
  if (menu) {
    if (!transaction.docChanged && !transaction.selectionSet) return menu;
    return menuAt(state, transaction.mapping.map(menu.from, -1), menu);
  }
  const { $from } = state.selection;
  if (!isTyped(transaction) || $from.parent.textContent !== '/') return null;
  return emptyBlockAt(old, old.selection.from) ? menuAt(state, $from.start()) : null;
}

/** True for a change by a person that is neither an undo nor a paste. */
function isTyped(transaction: Transaction): boolean {
  return (
    transaction.docChanged &&
    transaction.getMeta('history$') === undefined &&
    transaction.getMeta('addToHistory') !== false &&
    transaction.getMeta('uiEvent') === undefined
  );
}

function choose(view: EditorView, menu: Menu, index: number): void {
  const item = menu.items[index];
  if (!item) return;
  const range = { from: menu.from, to: menu.to };
  if (item.asksForAddress === true) {
    view.dispatch(view.state.tr.setMeta(key, 'close' satisfies Action));
    openImageDialog(view, range);
    return;
  }
  const transaction = deleteAndRun(view.state, range, item.command);
  if (transaction) view.dispatch(transaction.setMeta(key, 'close' satisfies Action));
  view.focus();
}

/** Opens the menu in the block of the caret, or in a new one below it. */
export function openInsertMenu(view: EditorView, position = view.state.selection.from): void {
  const { state } = view;
  const transaction = state.tr;
  const empty = emptyBlockAt(state, position);
  let from = empty?.from;
  if (from === undefined) {
    const after = state.doc.resolve(position).after(1);
    const paragraph = state.schema.nodes['paragraph']?.create();
    if (!paragraph) return;
    transaction.insert(after, paragraph);
    from = after + 1;
  }
  transaction.insertText('/', from);
  transaction.setSelection(TextSelection.create(transaction.doc, from + 1));
  transaction.setMeta(key, { open: 'button' } satisfies Action);
  view.dispatch(transaction.scrollIntoView());
  view.focus();
}

class InsertMenu extends Popup {
  private shown: readonly InsertItem[] | undefined;

  constructor(view: EditorView) {
    const dom = elementOf('div', {
      class: 'tools-popup tools-menu',
      id: LIST,
      role: 'listbox',
      'aria-label': 'Insert',
      // The list scrolls in a low window. Keys reach it from the text.
      tabindex: '0',
    });
    super(view, dom);
    keepFocus(dom);
    dom.addEventListener('click', ({ target }) => {
      const index = this.indexOf(target);
      const menu = key.getState(view.state);
      if (menu && index !== -1) choose(view, menu, index);
    });
    dom.addEventListener('pointermove', ({ target, movementX, movementY }) => {
      const index = this.indexOf(target);
      const menu = key.getState(view.state);
      // The list may scroll below a pointer that rests.
      if (!menu || index === -1 || index === menu.active || (movementX === 0 && movementY === 0))
        return;
      view.dispatch(view.state.tr.setMeta(key, { active: index } satisfies Action));
    });
    view.dom.addEventListener('blur', this.close);
  }

  override destroy(): void {
    this.view.dom.removeEventListener('blur', this.close);
    super.destroy();
  }

  protected place(): Place | undefined {
    const menu = key.getState(this.view.state);
    if (!menu || menu.items.length === 0) return undefined;
    return { anchor: boxBetween(this.view, menu.from, menu.from + 1), side: 'below' };
  }

  protected override render(): void {
    const menu = key.getState(this.view.state);
    if (!menu) return;
    if (menu.items !== this.shown) {
      this.shown = menu.items;
      this.dom.replaceChildren(...menu.items.map(optionOf));
    }
    for (const [index, option] of [...this.dom.children].entries()) {
      const isActive = index === menu.active;
      if (option.getAttribute('aria-selected') === String(isActive)) continue;
      option.setAttribute('aria-selected', String(isActive));
      if (isActive)
        requestAnimationFrame(() => {
          this.scrollTo(option);
        });
    }
  }

  /** `scrollIntoView` would also scroll the page. */
  private scrollTo(option: Element): void {
    const list = this.dom.getBoundingClientRect();
    const { top, bottom } = option.getBoundingClientRect();
    if (top < list.top + 4) this.dom.scrollTop -= list.top + 4 - top;
    else if (bottom > list.bottom - 4) this.dom.scrollTop += bottom - list.bottom + 4;
  }

  private indexOf(target: EventTarget | null): number {
    const option = target instanceof Element ? target.closest('[role=option]') : null;
    return option ? [...this.dom.children].indexOf(option) : -1;
  }

  private readonly close = (): void => {
    if (this.view.isDestroyed || !key.getState(this.view.state) || !document.hasFocus()) return;
    this.view.dispatch(this.view.state.tr.setMeta(key, 'close' satisfies Action));
  };
}

function optionOf({ name, icon, hint }: InsertItem, index: number): HTMLElement {
  const label = elementOf('span', { class: 'tools-space' }, name);
  const attributes = { role: 'option', id: optionId(index), 'aria-selected': 'false' };
  const option = elementOf('div', attributes, iconOf(icon), label);
  if (hint !== undefined) option.append(elementOf('kbd', { 'aria-hidden': 'true' }, hint));
  return option;
}

/** Inserts a block with `/` in an empty block. */
export function insertMenu(): Plugin<Menu | null> {
  return new Plugin<Menu | null>({
    key,
    state: { init: () => null, apply },
    view: (view) => new InsertMenu(view),
    props: {
      attributes: (state): Record<string, string> => {
        const menu = key.getState(state);
        if (!menu || menu.items.length === 0) return {};
        return {
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': LIST,
          'aria-activedescendant': optionId(menu.active),
        };
      },
      handleKeyDown: (view, event) => {
        const menu = key.getState(view.state);
        if (!menu || menu.items.length === 0 || event.isComposing) return false;
        return handleKey(view, menu, event);
      },
    },
  });
}

function handleKey(view: EditorView, menu: Menu, event: KeyboardEvent): boolean {
  const { items, active } = menu;
  const next = {
    ArrowDown: (active + 1) % items.length,
    ArrowUp: (active + items.length - 1) % items.length,
    PageDown: Math.min(items.length - 1, active + 5),
    PageUp: Math.max(0, active - 5),
  }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (next !== undefined)
    view.dispatch(view.state.tr.setMeta(key, { active: next } satisfies Action));
  else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab')
    choose(view, menu, active);
  else if (event.key === 'Escape') cancel(view, menu);
  else return false;
  return true;
}

/** Closes the menu. A `/` stays if somebody typed it. */
function cancel(view: EditorView, { from, to, byButton }: Menu): void {
  const transaction = view.state.tr.setMeta(key, 'close' satisfies Action);
  if (byButton && to === from + 1) transaction.delete(from, to);
  view.dispatch(transaction);
}
