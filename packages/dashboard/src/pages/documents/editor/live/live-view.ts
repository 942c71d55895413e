import { syntaxTree } from '@codemirror/language';
import { StateEffect, type Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { blocks } from './blocks.js';
import { directions } from './direction.js';
import { inlineMarks } from './inline.js';
import { linkBehavior, links } from './links.js';
import { lists } from './lists.js';
import { decorate, type LiveDecorations, type LiveInput, type Span } from './page.js';
import { tableBehavior, tables } from './tables.js';

const CONSTRUCTS = [blocks, lists, tables, links, inlineMarks];

/** Returns the decorations that hide the Markdown. */
export function liveDecorations(input: LiveInput): LiveDecorations {
  return decorate(input, CONSTRUCTS, directions);
}

/** Updates the decorations that were skipped while text was composed or the pointer was down. */
const refresh = StateEffect.define();

class LiveView {
  decorations: LiveDecorations;
  /** The selection before the pointer went down. Moving text under the pointer would change what it selects. */
  private frozen: readonly Span[] | undefined;

  constructor(private readonly view: EditorView) {
    this.decorations = this.build();
  }

  update(update: ViewUpdate): void {
    const { docChanged, viewportChanged, selectionSet, focusChanged, state, startState } = update;
    if (this.view.composing) {
      if (docChanged) this.map(update);
      return;
    }
    const isForced = update.transactions.some((one) => one.effects.some((it) => it.is(refresh)));
    const isParsed = syntaxTree(state) !== syntaxTree(startState);
    const isChanged = docChanged || isParsed || state.readOnly !== startState.readOnly;
    if (docChanged) this.frozen = undefined;
    if (isChanged || isForced || viewportChanged || selectionSet || focusChanged) {
      this.decorations = this.build();
    }
  }

  press(): void {
    this.frozen = this.selected;
  }

  release(): void {
    if (!this.frozen) return;
    this.frozen = undefined;
    this.refresh();
  }

  refresh(): void {
    this.view.dispatch({ effects: refresh.of(null) });
  }

  private get selected(): readonly Span[] {
    const { hasFocus, state } = this.view;
    return this.frozen ?? (hasFocus && !state.readOnly ? state.selection.ranges : []);
  }

  private build(): LiveDecorations {
    const { state, visibleRanges } = this.view;
    return liveDecorations({ state, visible: visibleRanges, selected: this.selected });
  }

  private map({ changes }: ViewUpdate): void {
    const { inner, outer, atomic } = this.decorations;
    this.decorations = {
      inner: inner.map(changes),
      outer: outer.map(changes),
      atomic: atomic.map(changes),
    };
  }
}

const plugin = ViewPlugin.fromClass(LiveView, {
  provide: (live) => {
    const of = (part: keyof LiveDecorations) => (view: EditorView) =>
      view.plugin(live)?.decorations[part] ?? Decoration.none;
    return [
      EditorView.decorations.of(of('inner')),
      EditorView.outerDecorations.of(of('outer')),
      EditorView.atomicRanges.of(of('atomic')),
    ];
  },
  eventHandlers: {
    mousedown(event, view) {
      if (event.button !== 0) return;
      this.press();
      view.dom.ownerDocument.addEventListener(
        'mouseup',
        () => {
          // After the editor has set the selection.
          setTimeout(() => {
            this.release();
          });
        },
        { once: true, capture: true },
      );
    },
    compositionend() {
      setTimeout(() => {
        this.refresh();
      });
    },
  },
});

/** Shows formatted text. Markdown appears where the person edits. */
export const liveView: Extension = [
  plugin,
  linkBehavior,
  tableBehavior,
  EditorView.perLineTextDirection.of(true),
];
