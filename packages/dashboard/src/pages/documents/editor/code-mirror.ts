import {
  copyLineDown,
  copyLineUp,
  deleteLine,
  history,
  historyKeymap,
  isolateHistory,
  moveLineDown,
  moveLineUp,
  standardKeymap,
} from '@codemirror/commands';
import { defineLanguageFacet, Language, syntaxHighlighting } from '@codemirror/language';
import {
  ChangeSet,
  Compartment,
  EditorState,
  Transaction,
  type Extension,
} from '@codemirror/state';
import { EditorView, keymap, placeholder, type Command } from '@codemirror/view';
import { textEdits, type Edit } from '@document-service/text-merge/text-edits';
import { continueList } from './continue-list.js';
import { HeadingsWatch, type Heading } from './headings.js';
import { OriginalText, withPlainLineBreaks } from './line-breaks.js';
import { toolsWhenNeeded } from './load-tools.js';
import { liveView } from './live/live-view.js';
import { formatKeys } from './live/keys.js';
import { isPlainMarkdown, onModeChange } from './live/mode.js';
import { highlighting, theme } from './live/theme.js';
import { markdownParser } from './markdown-parser.js';
import {
  changesMarks,
  isOriginal,
  markedPassages,
  markEffect,
  marksOf,
  type Mark,
  type MarkedRange,
  type MarkPlace,
  type MarkSource,
} from './marks.js';
import type { FileOptions } from './paste/files.js';
import { replaceSelection } from './replace-selection.js';
import { tintedWords, tintWords } from './tint.js';

interface EditorOptions extends FileOptions {
  /** Accessible name of the text box. */
  label: string;
  text: string;
  readOnly: boolean;
  placeholder?: string | undefined;
  /** Called after a person changed the text. */
  onChange: (text: string) => void;
  /** Called after a click on a marked range. */
  onPick?: (id: string) => void;
}

type PlacesListener = (places: readonly MarkPlace[]) => void;

/** What a page can do with an editor. */
export interface EditorHandle {
  /** Shows another text and keeps the cursor and the undo history. `tint` highlights the new words. */
  setText: (text: string, options?: { tint: boolean }) => void;
  /** Edits the text like a person, as one undo step. Positions are those of the editor. */
  replace: (edits: readonly Edit[]) => void;
  /** Replaces the marks of this source. Marks move with the text. */
  mark: (source: MarkSource, ranges: readonly MarkedRange[]) => void;
  /** Returns the marks of this source in text order. */
  marks: (source: MarkSource) => readonly (Mark & { isOriginal: boolean; text: string })[];
  /**
   * Reports the positions of the marked passages to the listener, now and whenever they may have moved. Returns a
   * function that stops this.
   */
  onPlaces: (listener: PlacesListener) => () => void;
  setReadOnly: (readOnly: boolean) => void;
  /** Selects a range and scrolls to it. */
  jumpTo: (from: number, to: number, at?: 'center' | 'start') => void;
  /** Selects a marked passage and scrolls to it. */
  jumpToMark: (id: string) => void;
  /** Reports the headings to the listener, now and whenever they change. Returns a function that stops this. */
  onHeadings: (listener: (headings: readonly Heading[]) => void) => () => void;
  /** Returns the text position at the top of the window. */
  topPosition: () => number;
  focus: () => void;
  destroy: () => void;
}

/** Height of the bars that cover the top of the page plus one line, in px. */
const BARS = 130;

export const markdownLanguage = new Language(defineLanguageFacet(), markdownParser, [], 'markdown');

/**
 * A Markdown editor inside a shadow root with constructed style sheets, because the policy forbids style elements in
 * the page.
 */
export function createEditor(host: HTMLElement, options: EditorOptions): EditorHandle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  let original = new OriginalText(options.text);
  let changesSince = ChangeSet.empty(withPlainLineBreaks(options.text).length);
  const access = new Compartment();
  const mode = new Compartment();
  const headings = new HeadingsWatch();
  const placesListeners = new Set<PlacesListener>();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: withPlainLineBreaks(options.text),
      extensions: [
        EditorView.updateListener.of(({ docChanged, changes }) => {
          if (docChanged) changesSince = changesSince.compose(changes);
        }),
        EditorView.updateListener.of((update) => {
          const { docChanged, geometryChanged, viewportChanged, transactions } = update;
          const hasNewMarks = transactions.some(({ effects }) => changesMarks(effects));
          if (docChanged || geometryChanged || viewportChanged || hasNewMarks) tellPlaces();
        }),
        headings.extension,
        extensionsOf(options),
        mode.of(modeOf()),
        access.of(accessOf(options.readOnly)),
        reportTyping(({ state }) => {
          options.onChange(original.after(changesSince, state.doc));
        }),
      ],
    }),
  });
  function tellPlaces() {
    if (placesListeners.size === 0) return;
    view.requestMeasure({
      key: placesListeners,
      read: () => placesOf(view, host),
      write: (places) => {
        for (const listener of placesListeners) listener(places);
      },
    });
  }
  const forgetMode = onModeChange(() => {
    view.dispatch({ effects: mode.reconfigure(modeOf()) });
  });
  const jumpTo = (from: number, to: number, at: 'center' | 'start' = 'center') => {
    const { length } = view.state.doc;
    const anchor = Math.min(from, length);
    const head = Math.min(to, length);
    view.dispatch({
      selection: { anchor, head },
      effects: EditorView.scrollIntoView(anchor, {
        y: at,
        yMargin: at === 'start' ? BARS - 20 : 0,
      }),
    });
    view.focus();
  };
  return {
    setText: (text, { tint } = { tint: false }) => {
      const plainText = withPlainLineBreaks(text);
      const edits = textEdits(view.state.doc.toString(), plainText);
      if (edits.length > 0) {
        const changes = ChangeSet.of(changesOf(edits, view.state), view.state.doc.length);
        keepPlace(view, changes, () => {
          view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
        });
        if (tint)
          tintWords(
            view,
            edits.map(({ from, insert }) => insertedAt(changes, from, insert)),
          );
      }
      original = new OriginalText(text);
      changesSince = ChangeSet.empty(plainText.length);
    },
    replace: (edits) => {
      view.dispatch({
        changes: changesOf(edits, view.state),
        annotations: isolateHistory.of('full'),
        userEvent: 'input.replace',
      });
    },
    mark: (source, ranges) => {
      view.dispatch({ effects: markEffect(source, ranges) });
    },
    marks: (source) =>
      marksOf(view.state)
        .filter((mark) => mark.source === source)
        .map((mark) => ({
          ...mark,
          isOriginal: isOriginal(view.state, mark),
          text: view.state.sliceDoc(mark.from, mark.to),
        })),
    onPlaces: (listener) => {
      placesListeners.add(listener);
      tellPlaces();
      return () => {
        placesListeners.delete(listener);
      };
    },
    setReadOnly: (readOnly) => {
      if (view.state.readOnly === readOnly) return;
      view.dispatch({ effects: access.reconfigure(accessOf(readOnly)) });
    },
    jumpTo,
    jumpToMark: (id) => {
      const mark = marksOf(view.state).find((one) => one.id === id);
      if (mark) jumpTo(mark.from, mark.to);
    },
    onHeadings: (listener) => headings.listen(listener),
    topPosition: () => topPosition(view),
    focus: () => {
      view.focus();
    },
    destroy: () => {
      forgetMode();
      view.destroy();
    },
  };
}

function changesOf(edits: readonly Edit[], state: EditorState) {
  return edits.map(({ insert, ...at }) => ({ ...at, insert: state.toText(insert) }));
}

function insertedAt(changes: ChangeSet, from: number, insert: string) {
  const start = changes.mapPos(from, -1);
  return { from: start, to: start + insert.length };
}

function placesOf(view: EditorView, host: HTMLElement): MarkPlace[] {
  const offset = view.documentTop - host.getBoundingClientRect().top;
  return marksOf(view.state).map((mark) => ({
    ...mark,
    top: offset + topOf(view, mark.from),
    isOriginal: isOriginal(view.state, mark),
  }));
}

/** Returns the distance of a position from the top of the document, in px. Estimates lines that were never visible. */
function topOf(view: EditorView, position: number): number {
  const shown = view.coordsAtPos(position);
  return shown ? shown.top - view.documentTop : view.lineBlockAt(position).top;
}

/** Returns the text position at the top of the visible part of the page. */
function topPosition(view: EditorView): number {
  return view.lineBlockAtHeight(BARS - view.documentTop).from;
}

/** Changes the text and keeps the first visible line in place. */
function keepPlace(view: EditorView, changes: ChangeSet, change: () => void): void {
  const page = document.scrollingElement;
  const line = page && page.scrollTop > 0 && view.dom.isConnected ? topPosition(view) : undefined;
  const before = line === undefined ? null : view.coordsAtPos(line, 1);
  change();
  const after = line === undefined ? null : view.coordsAtPos(changes.mapPos(line, 1), 1);
  if (page && before && after) page.scrollTop += after.top - before.top;
}

/** Marks changes by a person. The undo history skips those of {@link EditorHandle.setText}. */
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

function modeOf(): Extension {
  return isPlainMarkdown() ? EditorView.editorAttributes.of({ 'data-plain': '' }) : liveView;
}

function extensionsOf(options: EditorOptions): Extension[] {
  const { label, placeholder: hint, onPick } = options;
  return [
    history(),
    markdownLanguage,
    syntaxHighlighting(highlighting),
    theme,
    markedPassages,
    tintedWords,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': 'true',
      // Makes the region around it focusable, so that the keyboard can scroll it.
      tabindex: '0',
    }),
    hint === undefined ? [] : placeholder(hint),
    toolsWhenNeeded(options),
    // Outside lists and tables, Tab moves the focus as usual.
    formatKeys,
    keymap.of([
      { key: 'Enter', run: continueList },
      { key: 'F7', run: toMark(1, onPick), shift: toMark(-1, onPick) },
      { key: 'Alt-ArrowUp', run: moveLineUp },
      { key: 'Alt-ArrowDown', run: moveLineDown },
      { key: 'Shift-Alt-ArrowUp', run: copyLineUp },
      { key: 'Shift-Alt-ArrowDown', run: copyLineDown },
      { key: 'Shift-Mod-k', run: deleteLine },
      ...standardKeymap,
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
    const passages = marksOf(view.state).filter((mark) => isOriginal(view.state, mark));
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
