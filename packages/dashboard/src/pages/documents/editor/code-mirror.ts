import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import {
  Compartment,
  EditorState,
  RangeSet,
  StateEffect,
  StateField,
  Transaction,
  type Extension,
} from '@codemirror/state';
import { Decoration, EditorView, keymap, placeholder, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { continueList } from './continue-list.js';
import { lineBreakOf, withPlainLineBreaks } from './line-breaks.js';
import { markdownParser } from './markdown-parser.js';
import { textChanges } from './merge.js';

/** A stretch of the text that stands out, by positions of the editor. */
export interface MarkedRange {
  id: string;
  from: number;
  to: number;
  look: 'issue' | 'suggestion' | 'current' | 'overlap';
  /** Shown when the pointer rests on it. */
  hint?: string;
}

export interface EditorOptions {
  /** Accessible name of the text box. */
  label: string;
  text: string;
  readOnly: boolean;
  placeholder?: string | undefined;
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

const markdownLanguage = new Language(defineLanguageFacet(), markdownParser, [], 'markdown');

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
  { tag: [tags.processingInstruction, tags.meta], color: 'var(--mantine-color-dimmed)' },
  { tag: tags.monospace, fontFamily: 'var(--mantine-font-family-monospace)' },
  { tag: tags.quote, color: 'var(--mantine-color-dimmed)' },
]);

const look = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--app-surface)',
    color: 'var(--mantine-color-text)',
    fontSize: '15px',
  },
  '&.cm-focused': {
    outline: '2px solid var(--mantine-primary-color-filled)',
    outlineOffset: '-1px',
  },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family)',
    lineHeight: '1.65',
    overflow: 'auto',
  },
  '.cm-content': { padding: '14px 16px', caretColor: 'var(--mantine-color-text)' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '.cm-panels': { backgroundColor: 'var(--app-ground)', color: 'var(--mantine-color-text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--app-mark)' },
  '.cm-marked-issue': { textDecoration: 'underline wavy var(--mantine-color-orange-outline) 1px' },
  '.cm-marked-suggestion': {
    backgroundColor: 'var(--app-mark)',
    textDecoration: 'underline dotted var(--mantine-color-blue-outline)',
    cursor: 'pointer',
  },
  '.cm-marked-current': {
    backgroundColor: 'var(--app-mark)',
    outline: '2px solid var(--mantine-color-blue-outline)',
  },
  '.cm-marked-overlap': { backgroundColor: 'var(--app-mark)' },
});

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
  let lineBreak = lineBreakOf(options.text);
  const access = new Compartment();
  const shown = ({ state }: EditorView) => {
    const text = state.doc.toString();
    return lineBreak === '\n' ? text : text.replaceAll('\n', lineBreak);
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: withPlainLineBreaks(options.text),
      extensions: [
        extensionsOf(options),
        access.of(accessOf(options.readOnly)),
        reportTyping((editor) => {
          options.onChange(shown(editor));
        }),
      ],
    }),
  });
  return {
    setText: (text) => {
      lineBreak = lineBreakOf(text);
      const changes = textChanges(view.state.doc.toString(), withPlainLineBreaks(text));
      const plain = changes.map(({ insert, ...at }) => ({
        ...at,
        insert: view.state.toText(insert),
      }));
      if (plain.length === 0) return;
      view.dispatch({ changes: plain, annotations: Transaction.addToHistory.of(false) });
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
    EditorState.readOnly.of(readOnly),
    EditorView.editable.of(!readOnly),
  ];
}

function extensionsOf({ label, placeholder: hint, onPick }: EditorOptions): Extension[] {
  return [
    history(),
    markdownLanguage,
    syntaxHighlighting(highlighting),
    look,
    marks,
    search({ top: true }),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': 'true',
      // Lets the keyboard reach and scroll the region around it.
      tabindex: '0',
    }),
    hint === undefined ? [] : placeholder(hint),
    // Tab moves on, as everywhere on the page.
    keymap.of([
      { key: 'Enter', run: continueList },
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...historyKeymap,
      ...searchKeymap,
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

/**
 * Typing over a selection. Left to the browser, it would join lines and give what it moves style attributes, which the
 * content policy refuses and reports.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  if (inputType !== 'insertText' || isComposing || data === null || view.state.readOnly)
    return false;
  const { from, to } = selectedRange(view);
  if (from === to && !data.includes('\n')) return false;
  event.preventDefault();
  const insert = view.state.toText(data);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.type',
  });
  return true;
}

/** What the browser has selected: the editor hears of it a moment later. */
function selectedRange(view: EditorView): { from: number; to: number } {
  // Chromium tells the selection within a shadow root by this method of the root.
  const root = view.root as { getSelection?: () => Selection | null };
  const { anchorNode, focusNode, anchorOffset, focusOffset } = root.getSelection?.() ?? {};
  if (!anchorNode || !focusNode || !view.contentDOM.contains(anchorNode)) {
    return view.state.selection.main;
  }
  const anchor = view.posAtDOM(anchorNode, anchorOffset);
  const head = view.posAtDOM(focusNode, focusOffset);
  return { from: Math.min(anchor, head), to: Math.max(anchor, head) };
}
