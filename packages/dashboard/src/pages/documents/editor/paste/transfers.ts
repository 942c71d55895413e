import { Plugin, PluginKey, type EditorState } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { boundaryAt } from './insertion.js';

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
  private static made = 0;
  readonly key = `transfer-${String((Transfer.made += 1))}`;
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
    changeTransfers(this.view, { kind: 'remove', transfer: this });
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

interface PlacedTransfer {
  transfer: Transfer;
  /** A position between top-level blocks. */
  at: number;
}

type TransferChange =
  | { kind: 'add'; transfers: readonly PlacedTransfer[] }
  | { kind: 'remove'; transfer: Transfer }
  /** The text of the transfer was inserted and ends here. The files after it follow there. */
  | { kind: 'done'; transfer: Transfer; end: number };

/** Plugin key and transaction metadata. The transfers of a document are in text order. */
export const transfersKey = new PluginKey<readonly PlacedTransfer[]>('transfers');

function changeTransfers(view: EditorView, change: TransferChange): void {
  view.dispatch(view.state.tr.setMeta(transfersKey, change));
}

/** Shows the transfers of a document between its blocks. `cardOf` returns the element of one. */
export function transfersPlugin(cardOf: (transfer: Transfer) => HTMLElement): Plugin {
  return new Plugin<readonly PlacedTransfer[]>({
    key: transfersKey,
    state: {
      init: () => [],
      apply: (tr, before) => {
        const change = tr.getMeta(transfersKey) as TransferChange | undefined;
        const done = change?.kind === 'done' ? change : undefined;
        const index = done ? before.findIndex(({ transfer }) => transfer === done.transfer) : -1;
        const own = before[index];
        let now = before;
        if (tr.docChanged) {
          now = before.map((placed, position) => {
            if (done && own?.at === placed.at && position > index)
              return { ...placed, at: done.end };
            const isEarlier = own !== undefined && position < index;
            const side = isEarlier || placed.at === 0 ? -1 : 1;
            return { ...placed, at: tr.mapping.map(placed.at, side) };
          });
        }
        if (!change) return now;
        if (change.kind === 'add') return [...now, ...change.transfers];
        return now.filter(({ transfer }) => transfer !== change.transfer);
      },
    },
    props: {
      decorations: (state) =>
        DecorationSet.create(
          state.doc,
          (transfersKey.getState(state) ?? []).map(({ transfer, at }, index) =>
            Decoration.widget(boundaryAt(state.doc, at), () => cardOf(transfer), {
              key: transfer.key,
              side: at === 0 ? index - 1_000 : index + 1,
              ignoreSelection: true,
              stopEvent: () => true,
            }),
          ),
        ),
    },
  });
}

/** Shows tasks at a position and runs them one after the other, so that their texts keep the order of the files. */
export async function runTransfers(
  view: EditorView,
  at: number,
  tasks: readonly TransferTask[],
): Promise<void> {
  const transfers = tasks.map((task) => ({ at, transfer: new Transfer(view, task) }));
  changeTransfers(view, { kind: 'add', transfers });
  for (const { transfer } of transfers) await transfer.run();
}

/** Returns the position of a transfer between top-level blocks, or undefined after it ended. */
export function placeOf(state: EditorState, transfer: Transfer): number | undefined {
  const placed = transfersKey.getState(state)?.find((one) => one.transfer === transfer);
  return placed && boundaryAt(state.doc, placed.at);
}
