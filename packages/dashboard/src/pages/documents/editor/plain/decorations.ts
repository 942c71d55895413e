import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import type { Mark } from '../marks.js';

/** The marks to show. */
export const setMarks = StateEffect.define<readonly Mark[]>();
/** Ranges to highlight, in the text after the change. */
export const setTint = StateEffect.define<readonly { from: number; to: number }[]>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (current, { changes, effects }) => {
    const effect = effects.find((one) => one.is(setMarks));
    if (!effect) return current.map(changes);
    return Decoration.set(
      effect.value.map((mark) => decorationOf(mark).range(mark.from, mark.to)),
      true,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

const tinted = Decoration.mark({ class: 'cm-tinted' });

const tint = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (current, { changes, effects }) => {
    const effect = effects.find((one) => one.is(setTint));
    if (!effect) return current.map(changes);
    return Decoration.set(effect.value.map(({ from, to }) => tinted.range(from, to)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const decorations: Extension = [marks, tint];

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

function decorationOf(mark: Mark): Decoration {
  const { id, from, to, hint, source } = mark;
  if (from === to) return Decoration.widget({ widget: new PointWidget(mark), side: 1 });
  const attributes = { 'data-mark': id, ...(hint !== undefined && { title: hint }) };
  return Decoration.mark({ class: `cm-marked-${source}`, attributes });
}
