import {
  StateEffect,
  StateField,
  type ChangeDesc,
  type EditorState,
  type Extension,
} from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';

/** Source of a mark. Each source replaces only its own marks. */
export type MarkSource = 'conflicts' | 'issues' | 'suggestions';

/** A marked passage, in editor positions. An empty one is shown as a bar. */
export interface MarkedRange {
  id: string;
  from: number;
  to: number;
  /** The mark is hidden while the passage differs from this text. */
  original?: string | undefined;
  /** Tooltip. */
  hint?: string | undefined;
  /** True for a passage that is tracked but not shown. */
  isHidden?: boolean | undefined;
}

/** The current state of a marked passage. */
export interface Mark extends MarkedRange {
  source: MarkSource;
}

/** Position of a marked passage on the page. */
export interface MarkPlace extends Mark {
  /** Distance from the top of the editor's element, in px. */
  top: number;
  /** False while the passage differs from its original text. */
  isOriginal: boolean;
}

const setMarks = StateEffect.define<{ source: MarkSource; ranges: readonly MarkedRange[] }>();

const marks = StateField.define<readonly Mark[]>({
  create: () => [],
  update: (current, { changes, effects, newDoc }) => {
    let next = changes.empty ? current : current.map((mark) => moved(mark, changes));
    for (const effect of effects) {
      if (!effect.is(setMarks)) continue;
      const { source, ranges } = effect.value;
      const added = ranges
        .filter(({ from, to }) => from >= 0 && from <= to && to <= newDoc.length)
        .map((range) => ({ ...range, source }));
      next = [...next.filter((mark) => mark.source !== source), ...added].sort(
        (one, other) => one.from - other.from || one.to - other.to,
      );
    }
    return next;
  },
  provide: (field) => EditorView.decorations.compute([field, 'doc'], decorationsOf),
});

/**
 * A mark moves with the text around it. Text inserted at its edges stays outside. Text that replaces the whole passage
 * becomes the passage, so that undo finds it again.
 */
function moved(mark: Mark, changes: ChangeDesc): Mark {
  let replaced: { from: number; to: number } | undefined;
  changes.iterChangedRanges((fromA, toA, from, to) => {
    if (fromA === mark.from && toA === mark.to) replaced = { from, to };
  }, true);
  if (replaced) return { ...mark, ...replaced };
  const from = changes.mapPos(mark.from, 1);
  return { ...mark, from, to: Math.max(from, changes.mapPos(mark.to, -1)) };
}

/** Shows where a passage was deleted. */
class PointWidget extends WidgetType {
  constructor(private readonly mark: Mark) {
    super();
  }

  override eq({ mark }: PointWidget): boolean {
    return mark.id === this.mark.id && mark.source === this.mark.source;
  }

  toDOM(): HTMLElement {
    const bar = document.createElement('span');
    bar.className = `cm-marked-point cm-marked-${this.mark.source}`;
    bar.dataset['mark'] = this.mark.id;
    return bar;
  }
}

function decorationsOf(state: EditorState): DecorationSet {
  const shown = state
    .field(marks)
    .filter((mark) => mark.isHidden !== true && isOriginal(state, mark));
  return Decoration.set(
    shown.map((mark) => decorationOf(mark).range(mark.from, mark.to)),
    true,
  );
}

function decorationOf(mark: Mark): Decoration {
  const { id, from, to, hint, source } = mark;
  if (from === to) return Decoration.widget({ widget: new PointWidget(mark), side: 1 });
  const attributes = { 'data-mark': id, ...(hint !== undefined && { title: hint }) };
  return Decoration.mark({ class: `cm-marked-${source}`, attributes });
}

export const markedPassages: Extension = marks;

export function markEffect(source: MarkSource, ranges: readonly MarkedRange[]) {
  return setMarks.of({ source, ranges });
}

export function changesMarks(effects: readonly StateEffect<unknown>[]): boolean {
  return effects.some((effect) => effect.is(setMarks));
}

/** Returns the marks in text order. */
export function marksOf(state: EditorState): readonly Mark[] {
  return state.field(marks);
}

export function isOriginal(state: EditorState, { from, to, original }: Mark): boolean {
  return original === undefined || state.sliceDoc(from, to) === original;
}
