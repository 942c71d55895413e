import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import { elementOf } from '../live/elements.js';

/** Work on a file whose result is inserted into the text. */
export interface TransferTask {
  fileName: string;
  /** Label while it runs, such as "Converting plan.docx…". */
  label: string;
  /**
   * Does the work and inserts the result. `show` replaces the label, for example with the progress. Throws an error
   * with a message for the author.
   */
  run: (transfer: Transfer, show: (label: string) => void) => Promise<void>;
}

type TransferState = { kind: 'running'; label: string } | { kind: 'failed'; reason: string };

/** A file on its way into the text: running, or failed and waiting for a decision. */
export class Transfer {
  state: TransferState;
  private controller = new AbortController();
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly view: EditorView,
    private readonly task: TransferTask,
  ) {
    this.state = { kind: 'running', label: task.label };
  }

  get fileName(): string {
    return this.task.fileName;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async run(): Promise<void> {
    if (this.isCancelled()) return;
    this.show({ kind: 'running', label: this.task.label });
    try {
      await this.task.run(this, (label) => {
        this.show({ kind: 'running', label });
      });
    } catch (error) {
      if (this.isCancelled()) return;
      this.show({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Ends the transfer and removes its card. */
  cancel(): void {
    this.controller.abort();
    this.view.dispatch({ effects: removeTransfer.of(this) });
    this.view.focus();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private isCancelled(): boolean {
    return this.signal.aborted;
  }

  private show(state: TransferState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** A position between blocks: the end of a line, or before all text. */
export interface Place {
  at: number;
  isFirst: boolean;
}

interface PlacedTransfer extends Place {
  transfer: Transfer;
}

const addTransfers = StateEffect.define<readonly PlacedTransfer[]>();
const removeTransfer = StateEffect.define<Transfer>();
/** Reports where the text of a transfer ends. The files after it follow there. */
export const transferEnds = StateEffect.define<{ transfer: Transfer; end: number }>();

/** The transfers of a text, in text order. */
const transfers = StateField.define<readonly PlacedTransfer[]>({
  create: () => [],
  update: (before, { effects, changes, docChanged }) => {
    let now = before;
    const done = effects.find((effect) => effect.is(transferEnds))?.value;
    const index = done ? before.findIndex(({ transfer }) => transfer === done.transfer) : -1;
    const own = before[index];
    if (docChanged) {
      now = before.map((placed, position) => {
        if (done && own?.at === placed.at && position > index) {
          return { ...placed, at: done.end, isFirst: false };
        }
        const isEarlier = own !== undefined && position < index;
        const at = changes.mapPos(placed.at, placed.isFirst || isEarlier ? -1 : 1);
        return { ...placed, at, isFirst: placed.isFirst && at === 0 };
      });
    }
    for (const effect of effects) {
      if (effect.is(addTransfers)) now = [...now, ...effect.value];
      if (effect.is(removeTransfer)) now = now.filter(({ transfer }) => transfer !== effect.value);
    }
    return done ? now.filter(({ transfer }) => transfer !== done.transfer) : now;
  },
  provide: (field) =>
    EditorView.decorations.compute([field, 'doc'], (state) =>
      Decoration.set(
        state
          .field(field)
          .map(({ transfer, ...place }, index) =>
            widgetAt(state, place, new TransferCard(transfer), index),
          ),
        true,
      ),
    ),
});

/** Returns a decoration that shows a widget between the blocks. */
export function widgetAt(
  state: EditorState,
  { at, isFirst }: Place,
  widget: WidgetType,
  index = 0,
) {
  const side = isFirst ? index - 1_000 : index + 1;
  const position = isFirst ? 0 : state.doc.lineAt(at).to;
  return Decoration.widget({ widget, block: true, side }).range(position);
}

/** Shows tasks at a position and runs them one after the other, so that their texts keep the order of the files. */
export async function runTransfers(
  view: EditorView,
  place: Place,
  tasks: readonly TransferTask[],
): Promise<void> {
  const added = tasks.map((task) => ({ ...place, transfer: new Transfer(view, task) }));
  view.dispatch({ effects: addTransfers.of(added) });
  for (const { transfer: one } of added) await one.run();
}

/** Returns the position of a transfer, or undefined after it ended. */
export function placeOf(state: EditorState, transfer: Transfer): Place | undefined {
  return state.field(transfers).find((placed) => placed.transfer === transfer);
}

class TransferCard extends WidgetType {
  constructor(private readonly transfer: Transfer) {
    super();
  }

  override eq(other: TransferCard): boolean {
    return other.transfer === this.transfer;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { transfer: shown } = this;
    const status = elementOf('span', { class: 'cm-transfer-text', role: 'status' });
    const buttons = elementOf('span', { class: 'cm-transfer-buttons' });
    const card = elementOf('div', { class: 'cm-transfer-card' }, status, buttons);
    // The editor measures blocks without their margins.
    const block = elementOf('div', { class: 'cm-transfer' }, card);
    const render = () => {
      const { state, fileName } = shown;
      const isFailed = state.kind === 'failed';
      card.toggleAttribute('data-failed', isFailed);
      status.setAttribute('role', isFailed ? 'alert' : 'status');
      status.textContent = isFailed ? `${fileName} wasn't added. ${state.reason}` : state.label;
      const cancel = button(isFailed ? 'Dismiss' : 'Cancel', () => {
        shown.cancel();
      });
      const again = button('Try again', () => {
        void shown.run();
        view.focus();
      });
      buttons.replaceChildren(...(isFailed ? [again, cancel] : [cancel]));
      view.requestMeasure();
    };
    render();
    unsubscribes.set(block, shown.subscribe(render));
    return block;
  }

  override destroy(block: HTMLElement): void {
    unsubscribes.get(block)?.();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const unsubscribes = new WeakMap<HTMLElement, () => void>();

function button(name: string, onClick: () => void): HTMLButtonElement {
  const made = elementOf('button', { type: 'button' }, name);
  made.addEventListener('click', onClick);
  return made;
}

const BORDER = 'var(--app-border)';

const theme = EditorView.theme({
  '.cm-transfer': { padding: '6px 0' },
  '.cm-transfer-card': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '4px 12px',
    padding: '6px 12px',
    border: `1px solid ${BORDER}`,
    borderRadius: '10px',
    backgroundColor: 'var(--app-surface)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '14px',
    lineHeight: '20px',
  },
  '.cm-transfer-card[data-failed]': { borderColor: 'var(--mantine-color-error)' },
  '.cm-transfer-text': { flex: '1 1 12em', overflowWrap: 'anywhere' },
  '.cm-transfer-buttons': { display: 'flex', gap: '4px' },
  '.cm-transfer button': {
    minHeight: '32px',
    padding: '0 8px',
    border: '0',
    borderRadius: '6px',
    background: 'none',
    color: 'var(--mantine-color-anchor)',
    font: 'inherit',
    cursor: 'pointer',
  },
  '.cm-transfer button:hover': { backgroundColor: 'var(--mantine-color-default-hover)' },
  '.cm-transfer button:focus-visible': {
    outline: '2px solid var(--mantine-color-anchor)',
    outlineOffset: '-2px',
  },
});

export const transferCards: Extension = [transfers, theme];
