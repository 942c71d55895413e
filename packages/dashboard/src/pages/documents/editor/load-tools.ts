import { Plugin, PluginKey, TextSelection, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { withPlainLineBreaks } from './line-breaks.js';
import type { FileOptions, PasteContext } from './paste/files.js';
import { isInCode } from './paste/insertion.js';
import { TextInserter } from './paste/text-inserter.js';
import { readCaret } from './surface/caret.js';

const NOT_LOADED = "Couldn't paste with formatting: the server can't be reached.";

/** A paste that waits for the tools. */
interface HeldPaste {
  data: DataTransfer;
  /** Selection to replace, which moves with the text. */
  from: number;
  to: number;
}

interface LoadState {
  held: readonly HeldPaste[];
  isReady: boolean;
}

type LoadChange = { hold: HeldPaste } | { isReady: boolean };

const key = new PluginKey<LoadState>('load-tools');

/** Loads the editing tools when the pointer or the focus comes to the text. */
export function toolsWhenNeeded(context: PasteContext): Plugin<LoadState> {
  let loader: ToolsLoader | undefined;
  return new Plugin({
    key,
    state: {
      init: (): LoadState => ({ held: [], isReady: false }),
      apply: (transaction, { held, isReady }): LoadState => {
        const change = transaction.getMeta(key) as LoadChange | undefined;
        if (change && 'isReady' in change) return { held: [], isReady: change.isReady };
        const moved = held.map(({ data, from, to }) => ({
          data,
          from: transaction.mapping.map(from, -1),
          to: transaction.mapping.map(to, -1),
        }));
        return { held: change ? [...moved, change.hold] : moved, isReady };
      },
    },
    view: (view) => {
      // Adding the tools creates all plugin views again.
      const { load } = (loader ??= new ToolsLoader(view, context));
      window.addEventListener('dragenter', load);
      return {
        destroy: () => {
          window.removeEventListener('dragenter', load);
        },
      };
    },
    props: {
      attributes: (state): Record<string, string> =>
        key.getState(state)?.isReady === true ? { 'data-tools': 'ready' } : {},
      handleDOMEvents: {
        focus: () => {
          loader?.load();
        },
        pointerover: () => {
          loader?.load();
        },
        paste: (_view, event) => loader?.holdPaste(event),
        drop: (_view, event) => loader?.holdDrop(event),
      },
    },
  });
}

class ToolsLoader {
  private loading: Promise<void> | undefined;

  constructor(
    private readonly view: EditorView,
    private readonly context: PasteContext,
  ) {}

  readonly load = (): void => {
    this.loaded().catch(() => undefined);
  };

  /** After a failure, the next call tries again. */
  private loaded(): Promise<void> {
    // Does not use `loadPart`, which may reload the page while somebody types.
    this.loading ??= import('./writing-tools.js')
      .then(({ writingTools }) => {
        const { view } = this;
        if (view.isDestroyed) return;
        readCaret(view);
        const plugins = [...writingTools(this.context), ...view.state.plugins];
        view.updateState(view.state.reconfigure({ plugins }));
        const { held } = stateOf(view.state);
        view.dispatch(view.state.tr.setMeta(key, { isReady: true }));
        for (const paste of fromEnd(held)) this.paste(paste);
      })
      .catch((error: unknown) => {
        this.loading = undefined;
        throw error;
      });
    return this.loading;
  }

  /** Holds pasted data until the tools are loaded. Without them, its formatting would be lost. */
  holdPaste(event: ClipboardEvent): boolean {
    const { clipboardData } = event;
    const { state, editable } = this.view;
    if (!clipboardData || !editable || stateOf(state).isReady) return false;
    event.preventDefault();
    const { from, to } = state.selection;
    const hold: HeldPaste = { data: copyOf(clipboardData), from, to };
    this.view.dispatch(state.tr.setMeta(key, { hold }));
    this.loaded().catch(() => {
      this.pastePlain();
    });
    return true;
  }

  /** Holds what is dropped from elsewhere until the tools are loaded. */
  holdDrop(event: DragEvent): boolean {
    const { dataTransfer, clientX, clientY } = event;
    const { state, editable, dragging } = this.view;
    if (!dataTransfer || dragging || !editable || stateOf(state).isReady) return false;
    event.preventDefault();
    const held = copyOf(dataTransfer);
    const drop = () => {
      const place = { clientX, clientY, bubbles: true, cancelable: true };
      this.view.dom.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer: held }));
    };
    this.loaded().then(drop, () => this.options.onNotice?.(NOT_LOADED));
    return true;
  }

  private get options(): FileOptions {
    return this.context.options;
  }

  /** Pastes where the caret was, and moves the caret only if it is still there. */
  private paste({ data, from, to }: HeldPaste): void {
    const { view } = this;
    const bookmark = view.state.selection.getBookmark();
    const isAtPlace = view.state.selection.from === from;
    const before = view.state;
    this.selectRange(from, to);
    const init = { clipboardData: data, bubbles: true, cancelable: true };
    view.dom.dispatchEvent(new ClipboardEvent('paste', init));
    if (isAtPlace || before.doc !== view.state.doc) return;
    view.dispatch(view.state.tr.setSelection(bookmark.resolve(view.state.doc)));
  }

  private selectRange(from: number, to: number): void {
    const { doc, tr } = this.view.state;
    const selection = TextSelection.between(doc.resolve(from), doc.resolve(to));
    this.view.dispatch(tr.setSelection(selection));
  }

  /** Without the tools, inserts plain text. */
  private pastePlain(): void {
    const { held, isReady } = stateOf(this.view.state);
    if (held.length === 0) return;
    this.view.dispatch(this.view.state.tr.setMeta(key, { isReady }));
    const inserter = new TextInserter(this.context.sources);
    for (const { data, ...range } of fromEnd(held)) {
      const text = withPlainLineBreaks(data.getData('text/plain'));
      const isCode = isInCode(this.view.state.doc.resolve(range.from));
      if (isCode) inserter.insertCode(this.view, range, text);
      else inserter.insertText(this.view, range, text);
      this.options.onNotice?.(NOT_LOADED);
    }
  }
}

/** Returns the pastes from the end of the text, so that one does not move the places of the others. */
function fromEnd(held: readonly HeldPaste[]): HeldPaste[] {
  return held.toReversed().sort((one, other) => other.from - one.from);
}

function stateOf(state: EditorState): LoadState {
  return key.getState(state) ?? { held: [], isReady: false };
}

/** The data of an event is empty afterwards. */
function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type));
  for (const file of data.files) copy.items.add(file);
  return copy;
}
