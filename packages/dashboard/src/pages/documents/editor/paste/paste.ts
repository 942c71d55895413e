import { Fragment, type Slice } from 'prosemirror-model';
import { closeHistory } from 'prosemirror-history';
import { Plugin, PluginKey, Selection, type Transaction } from 'prosemirror-state';
import type { Mapping, StepMap } from 'prosemirror-transform';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { withPlainLineBreaks } from '../line-breaks.js';
import { copiedSlice } from '../surface/clipboard.js';
import { schema } from '../surface/schema.js';
import { readSlice } from '../surface/sources.js';
import { ConverterMissing, loadConverter } from './converter.js';
import {
  addFiles,
  caretBefore,
  imagesLeftOut,
  LARGEST_HTML,
  placeAtPointer,
  refusalOf,
  type PasteContext,
} from './files.js';
import { textLength } from './html-size.js';
import {
  boundaryAt,
  insertSlice,
  isBlank,
  isInCell,
  isInCode,
  sliceOf,
  type Span,
} from './insertion.js';
import { linkSelection } from './link-paste.js';
import classes from './paste.module.css';
import { markdownIn, plainBlocks } from './plain-text.js';
import { transferCard } from './transfer-card.js';
import { transfersPlugin } from './transfers.js';

const TOO_LONG = 'Formatting was left out: the text is very long. Import it as a file to keep it.';
const NOT_CONVERTED = "Formatting was left out: it can't be converted.";
const NOT_LOADED = "Formatting was left out: the server can't be reached.";

/** Target of a paste. Its text may arrive later, while the person continues to type. */
interface PendingPaste extends Span {
  id: symbol;
}

interface PasteState {
  pending: readonly PendingPaste[];
  /** Target of a file that is being dragged, between top-level blocks. */
  dropLine: number | undefined;
}

type PasteChange =
  | { kind: 'start'; pending: PendingPaste }
  | { kind: 'end'; id: symbol }
  | { kind: 'drag'; dropLine: number | undefined };

const key = new PluginKey<PasteState>('paste');

function changed(before: PasteState, tr: Transaction): PasteState {
  const change = tr.getMeta(key) as PasteChange | undefined;
  let { pending, dropLine } = before;
  if (tr.docChanged) {
    pending = pending.map((one) => ({ ...one, ...mapped(one, tr.mapping) }));
    dropLine = undefined;
  }
  switch (change?.kind) {
    case 'start':
      return { pending: [...pending, change.pending], dropLine };
    case 'end':
      return { pending: pending.filter(({ id }) => id !== change.id), dropLine };
    case 'drag':
      return { pending, dropLine: change.dropLine };
    case undefined:
      return pending.length === 0 && dropLine === before.dropLine ? before : { pending, dropLine };
  }
}

/** Returns the range after changes. It is empty if they touch it: typing has already replaced the selection. */
function mapped({ from, to }: Span, { maps }: Mapping): Span {
  let [start, end] = [from, to];
  for (const map of maps) {
    const isTouched = touches(map, { from: start, to: end });
    start = map.map(start, -1);
    end = isTouched ? start : map.map(end, -1);
  }
  return { from: start, to: end };
}

function touches(map: StepMap, { from, to }: Span): boolean {
  let isTouched = false;
  map.forEach((start, end) => {
    isTouched ||= start <= to && end >= from;
  });
  return isTouched;
}

/** Inserts what the clipboard and dragged data contain. */
class Paster {
  private readonly read = (markdown: string) => readSlice(markdown, this.context.sources).content;

  constructor(private readonly context: PasteContext) {}

  /** Inserts data at a range, in one undo step. */
  insert(view: EditorView, range: Span, data: DataTransfer, isPlain: boolean): void {
    const { options } = this.context;
    const text = withPlainLineBreaks(data.getData('text/plain'));
    const html = data.getData('text/html');
    const files = [...data.files];
    if (files.length > 0 && html === '') {
      if (namesFiles(text, files)) {
        addFiles(view, files, boundaryAt(view.state.doc, range.to), this.context);
        return;
      }
      for (const file of files) options.onNotice?.(refusalOf(file));
    }
    if (isInCode(view.state.doc.resolve(range.from))) {
      this.insertCode(view, range, text);
      return;
    }
    const copied = copiedSlice(data);
    if (isPlain) {
      const words = copied?.content.textBetween(0, copied.content.size, '\n', '\n');
      this.insertPlain(view, range, words ?? text);
    } else if (copied) this.dispatch(view, range, copied);
    else if (html === '') this.insertText(view, range, text);
    else if (textLength(html) > LARGEST_HTML) {
      options.onNotice?.(TOO_LONG);
      this.insertText(view, range, text);
    } else void this.insertHtml(view, range, { html, text });
  }

  /** Inserts HTML as formatted text, or as plain text if that is better. */
  private async insertHtml(
    view: EditorView,
    target: Span,
    { html, text }: { html: string; text: string },
  ): Promise<void> {
    const { onNotice } = this.context.options;
    const id = Symbol('paste');
    change(view, { kind: 'start', pending: { ...target, id } });
    const converted = await loadConverter()
      .then(({ htmlToMarkdown }) => htmlToMarkdown(html))
      .catch((error: unknown) => {
        onNotice?.(error instanceof ConverterMissing ? NOT_LOADED : NOT_CONVERTED);
        return undefined;
      });
    if (view.isDestroyed) return;
    const range = key.getState(view.state)?.pending.find((pending) => pending.id === id);
    if (!range) return;
    change(view, { kind: 'end', id });
    const isPlain = !converted || converted.markdown === '' || (converted.isPlain && text !== '');
    if (isPlain) this.insertText(view, range, text, converted?.isCode);
    else this.insertBlocks(view, range, this.read(converted.markdown));
    if (converted && converted.embeddedImages > 0) {
      onNotice?.(`${imagesLeftOut(converted.embeddedImages)}.`);
    }
  }

  /** Inserts text that may be Markdown. Several lines of code become a code block. */
  private insertText(view: EditorView, range: Span, text: string, isCode = false): void {
    const isInline = !isBlank(view.state.doc, range);
    const blocks = markdownIn(text, this.read, { isInline });
    if (blocks) this.insertBlocks(view, range, blocks);
    else if (isCode && text.trim().includes('\n')) {
      const code = schema.text(text.replaceAll(/^(?:[ \t]*\n)+|\s+$/g, ''));
      this.insertBlocks(view, range, Fragment.from(schema.node('code_block', null, code)));
    } else this.insertPlain(view, range, text);
  }

  private insertPlain(view: EditorView, range: Span, text: string): void {
    const { doc, storedMarks } = view.state;
    const marks = storedMarks ?? doc.resolve(range.from).marks();
    this.insertBlocks(view, range, plainBlocks(text, marks));
  }

  private insertBlocks(view: EditorView, range: Span, blocks: Fragment): void {
    this.dispatch(view, range, sliceOf(blocks, view.state.doc.resolve(range.from)));
  }

  private insertCode(view: EditorView, { from, to }: Span, text: string): void {
    if (text === '') return;
    const { tr, doc } = view.state;
    const isBlock = doc.resolve(from).parent.type.spec.code === true;
    const code = isBlock ? text : text.replaceAll(/\s*\n\s*/g, ' ');
    dispatchPaste(view, tr.insertText(code, from, to));
  }

  /** Replaces a range, and moves the caret if it is there. */
  private dispatch(view: EditorView, range: Span, slice: Slice): void {
    const { tr, selection, storedMarks } = view.state;
    const isCaretThere = selection.from === range.from && selection.to === range.to;
    const marks = storedMarks ?? tr.doc.resolve(range.from).marks();
    const behind = insertSlice(tr, range, slice);
    if (isCaretThere) {
      tr.setSelection(behind).scrollIntoView();
      // What is typed next looks like the text before.
      tr.setStoredMarks(behind.$head.parent.type.allowedMarks(marks));
    }
    dispatchPaste(view, tr);
  }
}

/** Fills the cells of a table with copied cells. */
function fillCells(view: EditorView, event: ClipboardEvent, data: DataTransfer): boolean {
  const slice = isInCell(view.state.selection.$from) ? copiedSlice(data) : undefined;
  const [only, other] = slice?.content.content ?? [];
  if (!slice || only?.type !== schema.nodes.table || other) return false;
  view.dispatch(closeHistory(view.state.tr));
  // The plugin of tables handles it.
  const isFilled = view.someProp('handlePaste', (handle) => handle(view, event, slice));
  view.dispatch(closeHistory(view.state.tr));
  return isFilled === true;
}

function selectedRange({ state }: EditorView): Span {
  const { from, to } = state.selection;
  return { from, to };
}

/** One paste is one undo step. */
function dispatchPaste(view: EditorView, tr: Transaction): void {
  view.dispatch(closeHistory(tr).setMeta('paste', true).setMeta('uiEvent', 'paste'));
  view.dispatch(closeHistory(view.state.tr));
}

function change(view: EditorView, change: PasteChange): void {
  view.dispatch(view.state.tr.setMeta(key, change));
}

/** True if the text only contains the names of the files, as file managers write it. */
function namesFiles(text: string, files: readonly File[]): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.every((line) =>
    files.some(({ name }) => line.endsWith(name) || line.endsWith(encodeURIComponent(name))),
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

function showDropLine(view: EditorView, dropLine: number | undefined): void {
  if (key.getState(view.state)?.dropLine !== dropLine) change(view, { kind: 'drag', dropLine });
}

/** A file dropped next to the text would replace the page. */
function guardPage(view: EditorView): { destroy: () => void } {
  const guard = (event: DragEvent) => {
    if (!view.dom.isConnected || event.defaultPrevented || !hasFiles(event)) return;
    const { target } = event;
    if (target instanceof HTMLInputElement && target.type === 'file') return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', guard);
  window.addEventListener('drop', guard);
  return {
    destroy: () => {
      window.removeEventListener('dragover', guard);
      window.removeEventListener('drop', guard);
    },
  };
}

/**
 * Inserts what is pasted and dropped: formatted text, Markdown, files, and an address as a link. ProseMirror's own
 * parser of HTML never runs, because the policy of the page forbids the styles that it applies.
 */
export function pasteAndDrop(context: PasteContext): Plugin[] {
  const paster = new Paster(context);
  /** True between Ctrl+Shift+V and its paste. */
  let isPlainPaste = false;
  const plugin = new Plugin<PasteState>({
    key,
    state: {
      init: () => ({ pending: [], dropLine: undefined }),
      apply: (tr, before) => changed(before, tr),
    },
    view: guardPage,
    props: {
      decorations: (state) => {
        const at = key.getState(state)?.dropLine;
        if (at === undefined) return null;
        const line = Decoration.widget(at, dropLine, { key: 'drop-line', side: -1_001 });
        return DecorationSet.create(state.doc, [line]);
      },
      handleDOMEvents: {
        keydown: (_, { key: pressed, shiftKey, ctrlKey, metaKey }) => {
          isPlainPaste = shiftKey && (ctrlKey || metaKey) && pressed.toLowerCase() === 'v';
          return false;
        },
        paste: (view, event) => {
          const isPlain = isPlainPaste;
          isPlainPaste = false;
          const { clipboardData: data } = event;
          if (!data || !view.editable) return false;
          event.preventDefault();
          if (!isPlain && fillCells(view, event, data)) return true;
          const link = isPlain ? undefined : linkSelection(view.state, data.getData('text/plain'));
          if (link) dispatchPaste(view, link.scrollIntoView());
          else paster.insert(view, selectedRange(view), data, isPlain);
          return true;
        },
        dragover: (view, event) => {
          if (!hasFiles(event)) return false;
          event.preventDefault();
          // Files go between blocks, so the caret of dragged text is not shown.
          event.stopImmediatePropagation();
          if (event.dataTransfer) event.dataTransfer.dropEffect = view.editable ? 'copy' : 'none';
          if (view.editable) showDropLine(view, placeAtPointer(view, event));
          return true;
        },
        dragleave: (view, { relatedTarget }) => {
          if (!(relatedTarget instanceof window.Node) || !view.dom.contains(relatedTarget)) {
            showDropLine(view, undefined);
          }
          return false;
        },
        drop: (view, event) => {
          const { dataTransfer: data } = event;
          // ProseMirror moves its own text.
          if (!data || (view.dragging && !hasFiles(event))) return false;
          event.preventDefault();
          showDropLine(view, undefined);
          if (view.editable) dropAt(view, event, data);
          return true;
        },
      },
    },
  });
  const dropAt = (view: EditorView, event: DragEvent, data: DataTransfer) => {
    const { tr, doc } = view.state;
    view.focus();
    if (hasFiles(event)) {
      const at = placeAtPointer(view, event);
      view.dispatch(tr.setSelection(caretBefore(view.state, at)));
      addFiles(view, [...data.files], at, context);
      return;
    }
    const found = view.posAtCoords({ left: event.clientX, top: event.clientY });
    if (!found) return;
    view.dispatch(tr.setSelection(Selection.near(doc.resolve(found.pos))));
    paster.insert(view, selectedRange(view), data, false);
  };
  return [plugin, transfersPlugin(transferCard)];
}

function dropLine(): HTMLElement {
  const line = document.createElement('div');
  line.className = classes['dropLine'] ?? '';
  line.dataset['dropLine'] = '';
  return line;
}
