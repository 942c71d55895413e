import { isolateHistory } from '@codemirror/commands';
import {
  Prec,
  RangeSet,
  StateEffect,
  StateField,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import { withPlainLineBreaks } from '../line-breaks.js';
import { elementOf } from '../live/elements.js';
import type { Span } from '../live/page.js';
import { cellAt } from '../live/table-model.js';
import { cellText } from '../live/tables.js';
import { ConverterMissing, loadConverter } from './converter.js';
import {
  addFiles,
  imagesLeftOut,
  LARGEST_HTML,
  placeAfter,
  placeAtPointer,
  refusalOf,
  type FileOptions,
} from './files.js';
import { textLength } from './html-size.js';
import { insertionAt, isInCode } from './insertion.js';
import { linkSelection } from './link-paste.js';
import { transferCards, widgetAt, type Place } from './transfers.js';

const TOO_LONG = 'Formatting was left out: the text is very long. Import it as a file to keep it.';
const NOT_CONVERTED = "Formatting was left out: it can't be converted.";
const NOT_LOADED = "Formatting was left out: the server can't be reached.";

/** Target of a paste. Its text may arrive later, while the person continues to type. */
interface PendingPaste extends Span {
  id: symbol;
}

const startPaste = StateEffect.define<PendingPaste>();
const endPaste = StateEffect.define<symbol>();

const pendingPastes = StateField.define<readonly PendingPaste[]>({
  create: () => [],
  update: (before, { changes, effects, docChanged }) => {
    let now = before;
    if (docChanged) {
      now = before.map(({ id, from, to }) => {
        // Typing has already replaced the selection.
        const isTouched = changes.touchesRange(from, to) !== false;
        const start = changes.mapPos(from, -1);
        return { id, from: start, to: isTouched ? start : changes.mapPos(to, -1) };
      });
    }
    for (const effect of effects) {
      if (effect.is(startPaste)) now = [...now, effect.value];
      if (effect.is(endPaste)) now = now.filter(({ id }) => id !== effect.value);
    }
    return now;
  },
});

/** Inserts HTML as Markdown, or as plain text if that is better. One paste is one undo step. */
async function pasteHtml(
  view: EditorView,
  { html, text }: { html: string; text: string },
  { onNotice }: FileOptions,
): Promise<void> {
  const id = Symbol('paste');
  const { from, to } = view.state.selection.main;
  const isCell = cellAt(view.state, from) !== undefined;
  view.dispatch({ effects: startPaste.of({ id, from, to }) });
  const converted = await loadConverter()
    .then(({ htmlToCell, htmlToMarkdown }) => (isCell ? htmlToCell : htmlToMarkdown)(html))
    .catch((error: unknown) => {
      onNotice?.(error instanceof ConverterMissing ? NOT_LOADED : NOT_CONVERTED);
      return undefined;
    });
  const { state } = view;
  const range = state.field(pendingPastes).find((pending) => pending.id === id);
  if (!range) return;
  const isPlain = !converted || converted.markdown === '' || (converted.isPlain && text !== '');
  const plain = withPlainLineBreaks(text);
  const change = isPlain
    ? insertPlain(range, cellAt(state, range.from) ? cellText(plain) : plain)
    : insertionAt(state, range, converted);
  const { main } = state.selection;
  const isCaretThere = main.from === range.from && main.to === range.to;
  view.dispatch({
    changes: change.changes,
    effects: endPaste.of(id),
    ...(isCaretThere && { selection: { anchor: change.end }, scrollIntoView: true }),
    userEvent: 'input.paste',
    annotations: isolateHistory.of('full'),
  });
  if (converted && converted.embeddedImages > 0) {
    onNotice?.(`${imagesLeftOut(converted.embeddedImages)}.`);
  }
}

function insertPlain({ from, to }: Span, insert: string) {
  return { changes: { from, to, insert }, end: from + insert.length };
}

/** True if the text only contains the names of the files, as file managers write it. */
function namesFiles(text: string, files: readonly File[]): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.every((line) =>
    files.some(({ name }) => line.endsWith(name) || line.endsWith(encodeURIComponent(name))),
  );
}

class PasteAndDrop {
  /** True between Ctrl+Shift+V and its paste. */
  private isPlainPaste = false;

  constructor(
    private readonly view: EditorView,
    private readonly options: FileOptions,
  ) {
    window.addEventListener('dragover', this.guard);
    window.addEventListener('drop', this.guard);
  }

  destroy(): void {
    window.removeEventListener('dragover', this.guard);
    window.removeEventListener('drop', this.guard);
  }

  keydown({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): void {
    this.isPlainPaste = shiftKey && (ctrlKey || metaKey) && key.toLowerCase() === 'v';
  }

  /** Returns true if it handled the paste. Otherwise the editor inserts the plain text. */
  paste({ clipboardData: data }: ClipboardEvent): boolean {
    const { view, options } = this;
    const isPlainPaste = this.isPlainPaste;
    this.isPlainPaste = false;
    if (!data || view.state.readOnly) return false;
    const [text, html] = [data.getData('text/plain'), data.getData('text/html')];
    const files = [...data.files];
    if (files.length > 0 && html === '') {
      if (namesFiles(text, files)) {
        addFiles(view, files, placeAfter(view.state, view.state.selection.main.to), options);
        return true;
      }
      for (const file of files) options.onNotice?.(refusalOf(file));
    }
    const { from, to } = view.state.selection.main;
    const isCode = isInCode(view.state, from) || isInCode(view.state, to);
    if (isPlainPaste || isCode) return false;
    const link = linkSelection(view.state, text);
    if (link) {
      this.dispatch(link);
      return true;
    }
    if (html === '') return false;
    if (textLength(html) > LARGEST_HTML) {
      options.onNotice?.(TOO_LONG);
      return false;
    }
    void pasteHtml(view, { html, text }, options);
    return true;
  }

  dragover(event: DragEvent): boolean {
    if (!hasFiles(event)) return false;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = this.canDrop ? 'copy' : 'none';
    if (this.canDrop) this.showDropLine(placeAtPointer(this.view, event));
    return true;
  }

  drop(event: DragEvent): boolean {
    if (!hasFiles(event)) return false;
    event.preventDefault();
    this.showDropLine(undefined);
    const { view, options } = this;
    if (!this.canDrop || !event.dataTransfer) return true;
    const place = placeAtPointer(view, event);
    view.focus();
    view.dispatch({ selection: { anchor: place.at } });
    addFiles(view, [...event.dataTransfer.files], place, options);
    return true;
  }

  dragleave({ relatedTarget }: DragEvent): void {
    const { dom } = this.view;
    if (!(relatedTarget instanceof Node) || !dom.contains(relatedTarget)) {
      this.showDropLine(undefined);
    }
  }

  private get canDrop(): boolean {
    return !this.view.state.readOnly;
  }

  private dispatch(spec: TransactionSpec): void {
    this.view.dispatch(spec, {
      scrollIntoView: true,
      userEvent: 'input.paste',
      annotations: isolateHistory.of('full'),
    });
  }

  private showDropLine(place: Place | undefined): void {
    const shown = this.view.state.field(dropLine);
    if (shown?.at === place?.at && shown?.isFirst === place?.isFirst) return;
    this.view.dispatch({ effects: setDropLine.of(place) });
  }

  /** A file dropped next to the text would replace the page. */
  private readonly guard = (event: DragEvent) => {
    if (!this.view.dom.isConnected || event.defaultPrevented || !hasFiles(event)) return;
    const [target] = event.composedPath();
    if (target instanceof HTMLInputElement && target.type === 'file') return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

const setDropLine = StateEffect.define<Place | undefined>();

/** Target of a file that is being dragged. */
const dropLine = StateField.define<Place | undefined>({
  create: () => undefined,
  update: (shown, { effects, docChanged }) => {
    const set = effects.find((effect) => effect.is(setDropLine));
    return set ? set.value : docChanged ? undefined : shown;
  },
  provide: (field) =>
    EditorView.decorations.compute([field], (state) => {
      const place = state.field(field);
      return place ? RangeSet.of(widgetAt(state, place, LINE)) : Decoration.none;
    }),
});

class DropLine extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    return elementOf('div', { class: 'cm-drop-line' });
  }
}

const LINE = new DropLine();

const theme = EditorView.theme({
  '.cm-drop-line': { position: 'relative', height: '0', pointerEvents: 'none' },
  '.cm-drop-line::after': {
    content: '""',
    position: 'absolute',
    inset: '-1px 0',
    backgroundColor: 'var(--mantine-primary-color-filled)',
  },
});

/** Pastes HTML as Markdown and an address as a link, and inserts dropped files into the text. */
export function pasteAndDrop(options: FileOptions): Extension {
  const plugin = ViewPlugin.define((view) => new PasteAndDrop(view, options), {
    eventHandlers: {
      keydown(event) {
        this.keydown(event);
      },
      paste(event) {
        return this.paste(event);
      },
      dragover(event) {
        return this.dragover(event);
      },
      dragleave(event) {
        this.dragleave(event);
      },
      drop(event) {
        return this.drop(event);
      },
    },
  });
  return [pendingPastes, transferCards, dropLine, theme, Prec.high(plugin)];
}
