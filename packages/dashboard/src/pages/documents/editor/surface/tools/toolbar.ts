import {
  Plugin,
  TextSelection,
  AllSelection,
  type Command,
  type EditorState,
} from 'prosemirror-state';
import { CellSelection } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { keyName } from '../../../../../components/key-names.js';
import {
  blockKindOf,
  headingLevelOf,
  isMarkOn,
  linkAround,
  setHeading,
  setParagraph,
  toggleBulletList,
  toggleCode,
  toggleEmphasis,
  toggleOrderedList,
  toggleQuote,
  toggleStrike,
  toggleStrong,
  toggleTaskList,
} from '../commands.js';
import { schema } from '../schema.js';
import { elementOf, iconButton, ICONS } from './elements.js';
import { openInsertMenu } from './insert-menu.js';
import { openLinkDialog } from './link-dialog.js';
import {
  boxBetween,
  isPhone,
  keepFocus,
  moveFocus,
  Popup,
  visibleArea,
  type Place,
} from './popup.js';
import { run } from './steps.js';

interface Tool {
  name: string;
  icon: string;
  keys?: string;
  command: Command;
  isOn: (state: EditorState) => boolean;
}

const { strong, em, strike, code } = schema.marks;

const mark = (command: Command, type: Parameters<typeof isMarkOn>[1]) => ({
  command,
  isOn: (state: EditorState) => isMarkOn(state, type),
});

const block = (command: Command, kind: ReturnType<typeof blockKindOf>) => ({
  command,
  isOn: (state: EditorState) => blockKindOf(state) === kind,
});

/** Heading 2, heading 3, paragraph. Level 1 is the title of most documents. */
const nextHeading: Command = (state, dispatch, view) => {
  const level = headingLevelOf(state);
  if (level === 2) return setHeading(3)(state, dispatch, view);
  return (level === 3 ? setParagraph : setHeading(2))(state, dispatch, view);
};

const LINK = 'Link';

const TOOLS: readonly Tool[] = [
  { name: 'Bold', icon: ICONS.bold, keys: keyName('Ctrl+B'), ...mark(toggleStrong, strong) },
  { name: 'Italic', icon: ICONS.italic, keys: keyName('Ctrl+I'), ...mark(toggleEmphasis, em) },
  {
    name: 'Strikethrough',
    icon: ICONS.strike,
    keys: keyName('Ctrl+Shift+X'),
    ...mark(toggleStrike, strike),
  },
  { name: 'Code', icon: ICONS.code, keys: keyName('Ctrl+E'), ...mark(toggleCode, code) },
  {
    name: LINK,
    icon: ICONS.link,
    keys: keyName('Ctrl+K'),
    command: openLinkDialog,
    isOn: (state) => linkAround(state) !== undefined,
  },
  {
    name: 'Heading',
    icon: ICONS.heading,
    keys: keyName('Ctrl+Alt+2'),
    command: nextHeading,
    isOn: (state) => blockKindOf(state) === 'heading',
  },
  {
    name: 'Bulleted list',
    icon: ICONS.bullets,
    keys: keyName('Ctrl+Shift+8'),
    ...block(toggleBulletList, 'bullet_list'),
  },
  {
    name: 'Numbered list',
    icon: ICONS.numbers,
    keys: keyName('Ctrl+Shift+7'),
    ...block(toggleOrderedList, 'ordered_list'),
  },
  {
    name: 'Checklist',
    icon: ICONS.checklist,
    keys: keyName('Ctrl+Shift+9'),
    ...block(toggleTaskList, 'task_list'),
  },
  { name: 'Quote', icon: ICONS.quote, ...block(toggleQuote, 'blockquote') },
];

/** True if somebody selected text that can be formatted. */
function hasText({ selection }: EditorState): boolean {
  if (selection instanceof CellSelection || selection instanceof AllSelection) return true;
  if (!(selection instanceof TextSelection) || selection.empty) return false;
  return !(selection.$from.sameParent(selection.$to) && selection.$from.parent.type.spec.code);
}

class Toolbar extends Popup {
  private readonly buttons: readonly HTMLButtonElement[];
  private readonly insert: HTMLButtonElement;
  private isPointing = false;

  constructor(view: EditorView) {
    const dom = elementOf('div', {
      class: 'tools-popup tools-toolbar',
      role: 'toolbar',
      'aria-label': 'Formatting',
    });
    super(view, dom);
    this.buttons = TOOLS.map(({ name, icon, keys, command }) => {
      const button = iconButton(name, icon, keys === undefined ? name : `${name} (${keys})`);
      button.addEventListener('click', () => {
        // The dialog takes the focus.
        if (name === LINK) command(view.state, view.dispatch, view);
        else run(view, command);
      });
      return button;
    });
    // Phones have no room for the button beside an empty block.
    this.insert = iconButton('Insert', ICONS.plus);
    this.insert.classList.add('tools-phone-only');
    this.insert.addEventListener('click', () => {
      openInsertMenu(view);
    });
    dom.append(this.insert);
    for (const [index, button] of this.buttons.entries()) {
      if (index === 5) dom.append(elementOf('span', { class: 'tools-divider' }));
      dom.append(button);
    }
    // Tab skips the toolbar. Alt+F10 moves to it.
    for (const button of this.all) button.tabIndex = -1;
    keepFocus(dom);
    dom.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') moveFocus(event, this.all, ['ArrowLeft', 'ArrowRight']);
      else {
        event.preventDefault();
        view.focus();
      }
    });
    view.dom.addEventListener('mousedown', this.hideWhilePointing);
    window.visualViewport?.addEventListener('resize', this.keepAboveKeyboard);
    window.visualViewport?.addEventListener('scroll', this.keepAboveKeyboard);
    this.keepAboveKeyboard();
  }

  override destroy(): void {
    this.view.dom.removeEventListener('mousedown', this.hideWhilePointing);
    window.visualViewport?.removeEventListener('resize', this.keepAboveKeyboard);
    window.visualViewport?.removeEventListener('scroll', this.keepAboveKeyboard);
    super.destroy();
  }

  /** Moves the focus to the toolbar. Returns false if it is hidden. */
  focus(): boolean {
    if (!this.isOpen) return false;
    this.all.find((button) => button.checkVisibility() && !button.disabled)?.focus();
    return true;
  }

  protected place(): Place | undefined {
    const { view, isPointing } = this;
    const { state } = view;
    if (!view.editable || !this.isActive) return undefined;
    if (isPhone()) return { anchor: visibleArea(view), side: 'below' };
    if (isPointing || !hasText(state)) return undefined;
    const anchor = boxBetween(view, state.selection.from, state.selection.to);
    const { top, bottom } = visibleArea(view);
    return anchor.bottom < top || anchor.top > bottom ? undefined : { anchor, side: 'above' };
  }

  protected override render(): void {
    const { state } = this.view;
    for (const [index, { isOn, command }] of TOOLS.entries()) {
      const button = this.buttons[index];
      if (!button) continue;
      button.setAttribute('aria-pressed', String(isOn(state)));
      button.disabled = !command(state);
    }
  }

  private get all(): readonly HTMLButtonElement[] {
    return [this.insert, ...this.buttons].filter((button) => !button.disabled);
  }

  /** The toolbar would be in the way while the pointer selects text. */
  private readonly hideWhilePointing = (): void => {
    this.isPointing = true;
    const show = () => {
      this.isPointing = false;
      this.refreshSoon();
    };
    document.addEventListener('mouseup', show, { once: true, capture: true });
  };

  private readonly keepAboveKeyboard = (): void => {
    const viewport = window.visualViewport;
    const covered = viewport ? window.innerHeight - viewport.height - viewport.offsetTop : 0;
    this.dom.style.setProperty('--covered', `${String(Math.max(0, Math.round(covered)))}px`);
  };
}

/** Buttons for the selected text. */
export function toolbar(): Plugin {
  let shown: Toolbar | undefined;
  return new Plugin({
    view: (view) => (shown = new Toolbar(view)),
    props: {
      handleKeyDown: (_view, event) =>
        event.altKey && event.key === 'F10' && shown?.focus() === true,
    },
  });
}
