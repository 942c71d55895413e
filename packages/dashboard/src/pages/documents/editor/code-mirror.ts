import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { defineLanguageFacet, Language, syntaxHighlighting } from '@codemirror/language';
import {
  ChangeSet,
  Compartment,
  EditorState,
  RangeSet,
  StateEffect,
  StateField,
  Transaction,
  type Extension,
} from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  placeholder,
  type Command,
  type DecorationSet,
} from '@codemirror/view';
import { continueList } from './continue-list.js';
import { OriginalText, withPlainLineBreaks } from './line-breaks.js';
import { findAndReplace } from './live/find-panel.js';
import { formatKeys } from './live/keys.js';
import { liveView } from './live/live-view.js';
import { isPlainMarkdown, onModeChange } from './live/mode.js';
import { highlighting, theme } from './live/theme.js';
import { formatToolbar } from './live/toolbar.js';
import { markdownParser } from './markdown-parser.js';
import { textChanges } from './merge.js';
import type { FileOptions } from './paste/files.js';
import { pasteAndDrop } from './paste/paste.js';
import { replaceSelection } from './replace-selection.js';

/** A stretch of the text that stands out, by positions of the editor. */
export interface MarkedRange {
  id: string;
  from: number;
  to: number;
  look: 'issue' | 'suggestion' | 'current' | 'overlap';
  /** Shown when the pointer rests on it. */
  hint?: string;
}

export interface EditorOptions extends FileOptions {
  /** Accessible name of the text box. */
  label: string;
  text: string;
  readOnly: boolean;
  placeholder?: string | undefined;
  /** `plain` always shows the Markdown. */
  view?: 'live' | 'plain' | undefined;
  /** Called when a person has changed the text. */
  onChange: (text: string) => void;
  /** Called when a marked range is clicked. */
  onPick?: (id: string) => void;
}

/** What a page does with an editor. */
export interface EditorHandle {
  /** Shows another text without losing the cursor or what can be undone. */
  setText: (text: string) => void;
  mark: (ranges: readonly MarkedRange[]) => void;
  setReadOnly: (readOnly: boolean) => void;
  /** Selects a range and scrolls to it. */
  jumpTo: (from: number, to: number) => void;
  focus: () => void;
  destroy: () => void;
}

export const markdownLanguage = new Language(defineLanguageFacet(), markdownParser, [], 'markdown');

const setMarks = StateEffect.define<DecorationSet>();

/** Marks move with the text that is typed around them. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (current, transaction) => {
    const replaced = transaction.effects.find((effect) => effect.is(setMarks));
    return replaced ? replaced.value : current.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * An editor for Markdown inside of a shadow root, where its styles are constructed sheets: elements with styles are
 * forbidden in the page.
 */
export function createEditor(host: HTMLElement, options: EditorOptions): EditorHandle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  let original = new OriginalText(options.text);
  let changesSince = ChangeSet.empty(withPlainLineBreaks(options.text).length);
  const access = new Compartment();
  const mode = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: withPlainLineBreaks(options.text),
      extensions: [
        EditorView.updateListener.of(({ docChanged, changes }) => {
          if (docChanged) changesSince = changesSince.compose(changes);
        }),
        extensionsOf(options),
        mode.of(modeOf(options)),
        access.of(accessOf(options.readOnly)),
        reportTyping(({ state }) => {
          options.onChange(original.after(changesSince, state.doc));
        }),
      ],
    }),
  });
  const forgetMode = onModeChange(() => {
    view.dispatch({ effects: mode.reconfigure(modeOf(options)) });
  });
  return {
    setText: (text) => {
      const plainText = withPlainLineBreaks(text);
      const changes = textChanges(view.state.doc.toString(), plainText).map(
        ({ insert, ...at }) => ({ ...at, insert: view.state.toText(insert) }),
      );
      if (changes.length > 0) {
        view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
      }
      original = new OriginalText(text);
      changesSince = ChangeSet.empty(plainText.length);
    },
    mark: (ranges) => {
      const { length } = view.state.doc;
      const decorations = ranges
        .filter(({ from, to }) => from >= 0 && to <= length && from < to)
        .map(({ id, from, to, look: kind, hint }) =>
          Decoration.mark({
            class: `cm-marked-${kind}`,
            attributes: { 'data-mark': id, ...(hint !== undefined && { title: hint }) },
          }).range(from, to),
        );
      view.dispatch({ effects: setMarks.of(RangeSet.of(decorations, true)) });
    },
    setReadOnly: (readOnly) => {
      if (view.state.readOnly === readOnly) return;
      view.dispatch({ effects: access.reconfigure(accessOf(readOnly)) });
    },
    jumpTo: (from, to) => {
      const { length } = view.state.doc;
      const anchor = Math.min(from, length);
      const head = Math.min(to, length);
      view.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      view.focus();
    },
    focus: () => {
      view.focus();
    },
    destroy: () => {
      forgetMode();
      view.destroy();
    },
  };
}

/** Changes by a person: those that {@link EditorHandle.setText} makes are left out of the history. */
function reportTyping(report: (view: EditorView) => void): Extension {
  return EditorView.updateListener.of(({ docChanged, transactions, view }) => {
    const byPerson = transactions.some(
      (one) => one.docChanged && one.annotation(Transaction.addToHistory) !== false,
    );
    if (docChanged && byPerson) report(view);
  });
}

function accessOf(readOnly: boolean): Extension {
  return [
    EditorView.contentAttributes.of(
      readOnly ? { 'aria-readonly': 'true' } : { spellcheck: 'true' },
    ),
    EditorView.editorAttributes.of(readOnly ? { 'data-read-only': '' } : {}),
    EditorState.readOnly.of(readOnly),
    EditorView.editable.of(!readOnly),
  ];
}

function modeOf({ view }: EditorOptions): Extension {
  if (view !== 'plain' && !isPlainMarkdown()) return liveView;
  return EditorView.editorAttributes.of({ 'data-plain': '' });
}

/** Keys of CodeMirror that the page uses differently, or that permanently change what Tab does. */
const LEFT_OUT = new Set(['Mod-Enter', 'Mod-i', 'Ctrl-m']);

function extensionsOf(options: EditorOptions): Extension[] {
  const { label, placeholder: hint, onPick } = options;
  return [
    history(),
    markdownLanguage,
    syntaxHighlighting(highlighting),
    theme,
    marks,
    formatToolbar,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': 'true',
      // Lets the keyboard reach and scroll the region around it.
      tabindex: '0',
    }),
    hint === undefined ? [] : placeholder(hint),
    findAndReplace,
    pasteAndDrop(options),
    // Outside lists and tables, Tab moves the focus as usual.
    formatKeys,
    keymap.of([
      { key: 'Enter', run: continueList },
      { key: 'F7', run: toMark(1, onPick), shift: toMark(-1, onPick) },
      ...defaultKeymap.filter(({ key = '' }) => !LEFT_OUT.has(key)),
      ...historyKeymap,
    ]),
    EditorView.domEventHandlers({
      beforeinput: replaceSelection,
      click: ({ target }) => {
        const id = target instanceof Element && target.closest('[data-mark]');
        if (id) onPick?.(id.getAttribute('data-mark') ?? '');
      },
    }),
  ];
}

/** Selects and picks the next or previous marked passage. */
function toMark(direction: 1 | -1, onPick: EditorOptions['onPick']): Command {
  return (view) => {
    const passages: { from: number; to: number; id: string }[] = [];
    view.state.field(marks).between(0, view.state.doc.length, (from, to, { spec }) => {
      const { attributes } = spec as { attributes: Record<string, string> };
      passages.push({ from, to, id: attributes['data-mark'] ?? '' });
    });
    const { from } = view.state.selection.main;
    const next =
      direction === 1
        ? (passages.find((passage) => passage.from > from) ?? passages[0])
        : (passages.findLast((passage) => passage.from < from) ?? passages.at(-1));
    if (!next) return false;
    view.dispatch({
      selection: { anchor: next.from, head: next.to },
      effects: EditorView.scrollIntoView(next.from, { y: 'center' }),
    });
    onPick?.(next.id);
    return true;
  };
}
