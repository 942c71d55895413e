import { Prec, StateField, type EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, showTooltip, type Tooltip, type TooltipView } from '@codemirror/view';
import { elementOf, iconOf } from './elements.js';
import {
  commandOf,
  elementAround,
  isLineKind,
  isWithin,
  nextHeading,
  toggleInline,
  toggleLines,
} from './format.js';
import { KEY_NAMES } from './key-names.js';
import { insertLink } from './keys.js';

interface Tool {
  name: string;
  /** Path of an icon, 24 units wide. */
  icon: string;
  keys?: string;
  run: (view: EditorView) => boolean;
  isOn: (state: EditorState) => boolean;
}

const inline = (name: Parameters<typeof toggleInline>[1]) => ({
  run: commandOf((state) => toggleInline(state, name)),
  isOn: (state: EditorState) => isWithin(state, name),
});

const lines = (kind: Parameters<typeof toggleLines>[1]) => ({
  run: commandOf((state) => toggleLines(state, kind)),
  isOn: (state: EditorState) => isLineKind(state, kind),
});

const TOOLS: readonly Tool[] = [
  {
    name: 'Bold',
    icon: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
    keys: KEY_NAMES.bold,
    ...inline('StrongEmphasis'),
  },
  {
    name: 'Italic',
    icon: 'M10 5h8M6 19h8M14 5l-4 14',
    keys: KEY_NAMES.italic,
    ...inline('Emphasis'),
  },
  {
    name: 'Strikethrough',
    icon: 'M5 12h14M16.5 7.5C16 6 14.3 5 12 5 9.5 5 7.5 6.3 7.5 8.5c0 1.5.8 2.5 2 3.5M7.5 16c.5 2 2.3 3 4.5 3 2.8 0 4.8-1.3 4.8-3.5 0-1.2-.5-2.2-1.5-3',
    keys: KEY_NAMES.strikethrough,
    ...inline('Strikethrough'),
  },
  {
    name: 'Code',
    icon: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
    keys: KEY_NAMES.code,
    ...inline('InlineCode'),
  },
  {
    name: 'Link',
    icon: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3',
    keys: KEY_NAMES.link,
    run: insertLink,
    isOn: (state) => elementAround(state, state.selection.main, 'Link') !== undefined,
  },
  {
    name: 'Heading',
    icon: 'M6 5v14M18 5v14M6 12h12',
    keys: KEY_NAMES.heading,
    run: commandOf((state) => toggleLines(state, nextHeading(state))),
    isOn: (state) => ([1, 2, 3] as const).some((level) => isLineKind(state, level)),
  },
  {
    name: 'Bulleted list',
    icon: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
    keys: KEY_NAMES.bullets,
    ...lines('bullet'),
  },
  {
    name: 'Numbered list',
    icon: 'M10 6h10M10 12h10M10 18h10M4 4.5L5.5 4v5M4 15.5c.5-1 2.5-.8 2.5.5C6.5 17 4 18 4 19.5h2.5',
    keys: KEY_NAMES.numbers,
    ...lines('number'),
  },
  { name: 'Quote', icon: 'M5 5v14M10 8h9M10 12h9M10 16h6', ...lines('quote') },
];

/** Phones show the toolbar above the keyboard, even without a selection. */
const isPhone = () => matchMedia('(hover: none) and (pointer: coarse)').matches;

function toolbar(view: EditorView): TooltipView {
  const dom = elementOf('div', {
    class: 'cm-toolbar',
    role: 'toolbar',
    'aria-label': 'Formatting',
  });
  const buttons = TOOLS.map(({ name, icon, keys, run }) => {
    const title = keys === undefined ? name : `${name} (${keys})`;
    const button = elementOf('button', { type: 'button', 'aria-label': name, title }, iconOf(icon));
    // Tab skips the toolbar. Alt+F10 moves to it.
    button.tabIndex = -1;
    button.addEventListener('click', () => {
      run(view);
    });
    return button;
  });
  dom.append(...buttons);
  const show = (state: EditorState) => {
    TOOLS.forEach(({ isOn }, index) => {
      buttons[index]?.setAttribute('aria-pressed', String(isOn(state)));
    });
  };
  // Keeps the focus and the selection in the text.
  dom.addEventListener('mousedown', (event) => {
    event.preventDefault();
  });
  dom.addEventListener('keydown', (event) => {
    moveFocus(event, buttons, view);
  });
  const viewport = window.visualViewport;
  const place = () => {
    const covered = viewport ? window.innerHeight - viewport.height - viewport.offsetTop : 0;
    dom.style.setProperty('--covered', `${String(Math.max(0, Math.round(covered)))}px`);
  };
  viewport?.addEventListener('resize', place);
  viewport?.addEventListener('scroll', place);
  place();
  show(view.state);
  return {
    dom,
    offset: { x: 0, y: 6 },
    update: ({ state, docChanged, selectionSet }) => {
      if (docChanged || selectionSet) show(state);
    },
    destroy: () => {
      viewport?.removeEventListener('resize', place);
      viewport?.removeEventListener('scroll', place);
    },
  };
}

/** Arrow keys, Home and End move along the toolbar. Escape returns to the text. */
function moveFocus(event: KeyboardEvent, buttons: HTMLElement[], view: EditorView): void {
  const at = buttons.findIndex((button) => button === event.target);
  const next = {
    ArrowRight: (at + 1) % buttons.length,
    ArrowLeft: (at + buttons.length - 1) % buttons.length,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (event.key === 'Escape') view.focus();
  else if (next !== undefined) buttons[next]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns the tooltip of the toolbar, or null if it is hidden. `create` stays the same, so the element is reused. */
function tooltipOf(state: EditorState): Tooltip | null {
  const { main } = state.selection;
  if (state.readOnly || (main.empty && !isPhone())) return null;
  return { pos: main.from, end: main.to, above: true, create: toolbar };
}

const field = StateField.define<Tooltip | null>({
  create: tooltipOf,
  update: (shown, { docChanged, selection, state, reconfigured }) =>
    docChanged || selection || reconfigured ? tooltipOf(state) : shown,
  provide: (of) => showTooltip.from(of),
});

function focusToolbar(view: EditorView): boolean {
  const button = view.dom.querySelector<HTMLElement>('.cm-toolbar button');
  button?.focus();
  return button !== null;
}

/** Hides the toolbar while the pointer selects text, because it would be in the way. */
const hideWhilePointing = EditorView.domEventHandlers({
  mousedown: (_event, view) => {
    view.dom.toggleAttribute('data-pointing', true);
    const show = () => {
      view.dom.removeAttribute('data-pointing');
    };
    document.addEventListener('mouseup', show, { once: true, capture: true });
  },
});

/** Buttons for the selected text. */
export const formatToolbar: Extension = [
  field,
  hideWhilePointing,
  Prec.high(keymap.of([{ key: 'Alt-F10', run: focusToolbar }])),
];
