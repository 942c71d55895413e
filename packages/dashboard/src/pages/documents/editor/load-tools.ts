import { Compartment, type Extension } from '@codemirror/state';
import { ViewPlugin, type EditorView } from '@codemirror/view';
import { loadPart } from '../../../load-part.js';
import type { FileOptions } from './paste/files.js';

/** Adds the tools of writers when somebody is about to write: readers do not load them. */
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

class ToolsLoader {
  private loading: Promise<void> | undefined;
  private isDestroyed = false;

  constructor(
    private readonly view: EditorView,
    private readonly place: Compartment,
    private readonly options: FileOptions,
  ) {
    window.addEventListener('dragenter', this.load);
  }

  readonly load = (): void => {
    void this.loaded();
  };

  private loaded(): Promise<void> {
    this.loading ??= loadPart(() => import('./writing-tools.js')).then(({ writingTools }) => {
      if (this.isDestroyed) return;
      this.view.dom.dataset['tools'] = 'ready';
      this.view.dispatch({ effects: this.place.reconfigure(writingTools(this.options)) });
    });
    return this.loading;
  }

  /** Holds what is pasted until the tools are there: its formatting would be lost. */
  holdPaste({ clipboardData }: ClipboardEvent): boolean {
    const types = clipboardData?.types ?? [];
    if (!clipboardData || !(types.includes('text/html') || types.includes('Files'))) return false;
    const held = copyOf(clipboardData);
    void this.loaded().then(() => {
      const init = { clipboardData: held, bubbles: true, cancelable: true };
      this.view.contentDOM.dispatchEvent(new ClipboardEvent('paste', init));
    });
    return true;
  }

  /** Holds files that are dropped before the tools are there: the editor would insert their bytes. */
  holdDrop({ dataTransfer, clientX, clientY }: DragEvent): boolean {
    if (!dataTransfer?.types.includes('Files')) return false;
    const held = copyOf(dataTransfer);
    void this.loaded().then(() => {
      const place = { clientX, clientY, bubbles: true, cancelable: true };
      this.view.contentDOM.dispatchEvent(new DragEvent('drop', { ...place, dataTransfer: held }));
    });
    return true;
  }

  destroy(): void {
    this.isDestroyed = true;
    window.removeEventListener('dragenter', this.load);
  }
}

/** The data of an event is empty after it. */
function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of data.types) if (type !== 'Files') copy.setData(type, data.getData(type));
  for (const file of data.files) copy.items.add(file);
  return copy;
}
