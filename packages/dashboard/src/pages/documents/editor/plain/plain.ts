import { history, historyKeymap, isolateHistory, standardKeymap } from '@codemirror/commands';
import {
  defineLanguageFacet,
  Language,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Transaction, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder, type ViewUpdate } from '@codemirror/view';
import { mapPosition, textEdits, type Edit } from '@document-service/text-merge/text-edits';
import { firstLineOf } from '../first-line.js';
import type { Heading } from '../headings.js';
import { togglePlainMarkdown } from '../mode.js';
import { markdownParser } from '../markdown-parser.js';
import type { Mark } from '../marks.js';
import { BARS, TINT_MS, type TextView, type TextViewEvents } from '../text-view.js';
import { decorations, setMarks, setTint } from './decorations.js';
import { highlighting, theme } from './theme.js';

interface PlainOptions {
  label: string;
  text: string;
  readOnly: boolean;
  placeholder?: string | undefined;
  events: TextViewEvents;
}

const LEVELS = new Map([
  ['ATXHeading1', 1],
  ['SetextHeading1', 1],
  ['ATXHeading2', 2],
  ['SetextHeading2', 2],
  ['ATXHeading3', 3],
]);

const markdownLanguage = new Language(defineLanguageFacet(), markdownParser, [], 'markdown');

/**
 * Shows Markdown as it is written, inside a shadow root with constructed style sheets, because the policy forbids style
 * elements in the page.
 */
export function createPlain(host: HTMLElement, options: PlainOptions): TextView {
  return new PlainView(host, options);
}

class PlainView implements TextView {
  private readonly place = document.createElement('div');
  private readonly access = new Compartment();
  private readonly view: EditorView;
  private tintTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: HTMLElement,
    private readonly options: PlainOptions,
  ) {
    this.place.className = 'plain-markdown';
    host.append(this.place);
    const root = this.place.attachShadow({ mode: 'open' });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: options.text, extensions: this.extensions() }),
    });
  }

  setText(text: string, tint: boolean): void {
    const { state } = this.view;
    const edits = textEdits(state.doc.toString(), text);
    if (edits.length === 0) return;
    this.keepPlace(edits, () => {
      this.view.dispatch({
        changes: this.changesOf(edits),
        annotations: Transaction.addToHistory.of(false),
      });
    });
    if (tint) this.tint(edits);
  }

  replace(edits: readonly Edit[]): void {
    this.view.dispatch({
      changes: this.changesOf(edits),
      annotations: isolateHistory.of('full'),
      userEvent: 'input.replace',
    });
  }

  showMarks(marks: readonly Mark[]): void {
    // The editor may be in the middle of an update.
    queueMicrotask(() => {
      const { length } = this.view.state.doc;
      this.view.dispatch({ effects: setMarks.of(marks.filter(({ to }) => to <= length)) });
    });
  }

  topOf(offset: number): number {
    const shown = this.view.coordsAtPos(offset);
    // An estimate for lines that were never visible.
    return shown?.top ?? this.view.documentTop + this.view.lineBlockAt(offset).top;
  }

  setReadOnly(readOnly: boolean): void {
    this.view.dispatch({ effects: this.access.reconfigure(accessOf(readOnly)) });
  }

  select(from: number, to: number, at: 'center' | 'start'): void {
    this.view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, {
        y: at,
        yMargin: at === 'start' ? BARS - 20 : 0,
      }),
    });
    this.view.focus();
  }

  headings(): Heading[] {
    const { state } = this.view;
    const headings: Heading[] = [];
    for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
      const level = LEVELS.get(node.name);
      if (level === undefined) continue;
      const text = firstLineOf(state.sliceDoc(node.from, node.to));
      if (text !== '') headings.push({ from: node.from, level, text });
    }
    return headings;
  }

  topPosition(): number {
    return this.view.lineBlockAtHeight(BARS - this.view.documentTop).from;
  }

  caret(): number {
    return this.view.state.selection.main.head;
  }

  hasFocus(): boolean {
    return this.view.hasFocus;
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    clearTimeout(this.tintTimer);
    this.view.destroy();
    this.place.remove();
  }

  private changesOf(edits: readonly Edit[]) {
    const { state } = this.view;
    return edits.map(({ insert, ...at }) => ({ ...at, insert: state.toText(insert) }));
  }

  private tint(edits: readonly Edit[]): void {
    const ranges = edits
      .map(({ from, insert }) => {
        const start = mapPosition(from, edits, -1);
        return { from: start, to: start + insert.length };
      })
      .filter(({ from, to }) => from < to);
    if (ranges.length === 0) return;
    this.view.dispatch({ effects: setTint.of(ranges) });
    clearTimeout(this.tintTimer);
    this.tintTimer = setTimeout(() => {
      this.view.dispatch({ effects: setTint.of([]) });
    }, TINT_MS);
  }

  /** Changes the text and keeps the first visible line in place. */
  private keepPlace(edits: readonly Edit[], change: () => void): void {
    const { view } = this;
    const page = document.scrollingElement;
    const line =
      page && page.scrollTop > 0 && this.place.isConnected ? this.topPosition() : undefined;
    const before = line === undefined ? null : view.coordsAtPos(line, 1);
    change();
    const after = line === undefined ? null : view.coordsAtPos(mapPosition(line, edits, 1), 1);
    if (page && before && after) page.scrollTop += after.top - before.top;
  }

  private report(update: ViewUpdate): void {
    const { docChanged, geometryChanged, viewportChanged, transactions, changes, state } = update;
    const { events } = this.options;
    if (geometryChanged || viewportChanged) events.onMove();
    if (!docChanged) return;
    const isByPerson = transactions.some(
      (one) => one.docChanged && one.annotation(Transaction.addToHistory) !== false,
    );
    const edits: Edit[] = [];
    changes.iterChanges((from, to, _fromB, _toB, inserted) => {
      edits.push({ from, to, insert: inserted.toString() });
    });
    events.onText(state.doc.toString(), { isByPerson, edits });
  }

  private extensions(): Extension[] {
    const { label, placeholder: hint, readOnly, events } = this.options;
    return [
      history(),
      markdownLanguage,
      syntaxHighlighting(highlighting),
      theme,
      decorations,
      search({ top: true }),
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-multiline': 'true',
        // Makes the region around it focusable, so that the keyboard can scroll it.
        tabindex: '0',
      }),
      EditorView.editorAttributes.of({ 'data-plain': '', 'data-tools': 'ready' }),
      hint === undefined ? [] : placeholder(hint),
      this.access.of(accessOf(readOnly)),
      keymap.of([
        { key: 'F7', run: () => events.onStep(1), shift: () => events.onStep(-1) },
        {
          key: 'Mod-Shift-m',
          run: () => {
            togglePlainMarkdown();
            return true;
          },
        },
        ...searchKeymap,
        ...standardKeymap,
        ...historyKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        this.report(update);
      }),
      EditorView.domEventHandlers({
        click: ({ target }) => {
          const passage = target instanceof Element && target.closest('[data-mark]');
          if (passage) events.onPick(passage.getAttribute('data-mark') ?? '');
        },
      }),
    ];
  }
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
