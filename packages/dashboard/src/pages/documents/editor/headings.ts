import { syntaxTree } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { ViewPlugin, type EditorView, type ViewUpdate } from '@codemirror/view';
import { firstLineOf } from './first-line.js';

export interface Heading {
  /** Position in the editor. */
  from: number;
  /** 1 to 3. */
  level: number;
  text: string;
}

type Listener = (headings: readonly Heading[]) => void;

/** Pause in typing after which the headings are read, in ms. */
const REST = 300;
const LEVELS = new Map([
  ['ATXHeading1', 1],
  ['SetextHeading1', 1],
  ['ATXHeading2', 2],
  ['SetextHeading2', 2],
  ['ATXHeading3', 3],
]);

/** Returns the headings of the first three levels, as far as the text is parsed. */
function headingsOf(state: EditorState): Heading[] {
  const headings: Heading[] = [];
  for (let node = syntaxTree(state).topNode.firstChild; node; node = node.nextSibling) {
    const level = LEVELS.get(node.name);
    if (level === undefined) continue;
    const text = firstLineOf(state.sliceDoc(node.from, node.to));
    if (text !== '') headings.push({ from: node.from, level, text });
  }
  return headings;
}

/** Reports the headings of a text to listeners, and again after changes. */
export class HeadingsWatch {
  private readonly listeners = new Set<Listener>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private view: EditorView | undefined;

  readonly extension: Extension = ViewPlugin.define((view) => {
    this.view = view;
    return {
      update: (update: ViewUpdate) => {
        const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
        if (update.docChanged || isParsed) this.tellSoon();
      },
      destroy: () => {
        clearTimeout(this.timer);
      },
    };
  });

  /** Returns a function that stops it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    this.tellSoon(0);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private tellSoon(rest = REST): void {
    if (this.listeners.size === 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.view) return;
      const headings = headingsOf(this.view.state);
      for (const listener of this.listeners) listener(headings);
    }, rest);
  }
}
