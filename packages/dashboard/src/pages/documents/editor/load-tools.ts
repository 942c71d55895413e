import { Compartment, type Extension } from '@codemirror/state';
import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view';
import type { FileOptions } from './paste/files.js';

const NOT_LOADED = "Couldn't paste with formatting: the server can't be reached.";

/** Loads the editing tools when somebody is about to edit. Readers do not need them. */
export function toolsWhenNeeded(options: FileOptions): Extension {
  const place = new Compartment();
  const plugin = ViewPlugin.define((view) => new ToolsLoader(view, place, options), {
    eventHandlers: {
      focus() {
        this.load();
      },
      pointerover() {
        this.load();
      },
      paste(event) {
        return this.holdPaste(event);
      },
      drop(event) {
        return this.holdDrop(event);
      },
    },
  });
  return place.of(plugin);
}

/** A paste that waits for the tools. */
interface HeldPaste {
  data: DataTransfer;
  /** Selection to replace, which moves with the text. */
  from: number;
  to: number;
}

class ToolsLoader {
  private loading: Promise<void> | undefined;
  private held: HeldPaste[] = [];
  private isDestroyed = false;

  constructor(
    private readonly view: EditorView,
    private readonly place: Compartment,
    private readonly options: FileOptions,
  ) {
    window.addEventListener('dragenter', this.load);
  }

  update({ changes, docChanged }: ViewUpdate): void {
    if (!docChanged) return;
    this.held = this.held.map(({ data, from, to }) => ({
      data,
      from: changes.mapPos(from, -1),
      to: changes.mapPos(to, -1),
    }));
  }

  readonly load = (): void => {
    this.loaded().catch(() => undefined);
  };

  /** After a failure, the next call tries again. */
  private loaded(): Promise<void> {
    // Does not use `loadPart`, which may reload the page while somebody types.
    this.loading ??= import('./writing-tools.js')
      .then(({ writingTools }) => {
        if (this.isDestroyed) return;
        this.view.dom.dataset['tools'] = 'ready';
        const { held } = this;
        this.view.dispatch({ effects: this.place.reconfigure(writingTools(this.options)) });
        for (const paste of held) this.paste(paste);
      })
      .catch((error: unknown) => {
        this.loading = undefined;
        throw error;
      });
    return this.loading;
  }

  /** Holds pasted data until the tools are loaded. Without them, its formatting would be lost. */
  holdPaste({ clipboardData }: ClipboardEvent): boolean {
    const types = clipboardData?.types ?? [];
    if (!clipboardData || !(types.includes('text/html') || types.includes('Files'))) return false;
    const { from, to } = this.view.state.selection.main;
    this.held.push({ data: copyOf(clipboardData), from, to });
    this.loaded().catch(() => {
      this.pastePlain();
    });
    return true;
  }

  /** Holds dropped files until the tools are loaded. Without them, the editor would insert their bytes. */
  holdDrop({ dataTransfer, clientX, clientY }: DragEvent): boolean {
    if (!dataTransfer?.types.includes('Files')) return false;
    const held = copyOf(dataTransfer);
    const drop = () => {
      const place = { clientX, clientY, bubbles: true, cancelable: true };
      this.view.contentDOM.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer: held }));
    };
    this.loaded().then(drop, () => this.options.onNotice?.(NOT_LOADED));
    return true;
  }

  destroy(): void {
    this.isDestroyed = true;
    window.removeEventListener('dragenter', this.load);
  }

  /** Pastes where the caret was, and moves the caret only if it is still there. */
  private paste({ data, from, to }: HeldPaste): void {
    const { main } = this.view.state.selection;
    this.view.dispatch({ selection: { anchor: from, head: to } });
    const init = { clipboardData: data, bubbles: true, cancelable: true };
    this.view.contentDOM.dispatchEvent(new ClipboardEvent('paste', init));
    if (main.from !== from)
      this.view.dispatch({ selection: { anchor: main.anchor, head: main.head } });
  }

  /** Without the tools, inserts plain text. */
  private pastePlain(): void {
    for (const { data, from, to } of this.held.splice(0)) {
      const insert = this.view.state.toText(data.getData('text/plain'));
      this.view.dispatch({ changes: { from, to, insert }, userEvent: 'input.paste' });
      this.options.onNotice?.(NOT_LOADED);
    }
  }
}

/** The data of an event is empty afterwards. */
function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type));
  for (const file of data.files) copy.items.add(file);
  return copy;
}
