import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/** How long the words of others are highlighted, in ms. */
const TINT_MS = 2_000;

interface Range {
  from: number;
  to: number;
}

const tinted = Decoration.mark({ class: 'cm-tinted' });

/** Ranges in the text after the change. An empty list removes the highlight. */
const setTint = StateEffect.define<readonly Range[]>();

const tint = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (current, { changes, effects }) => {
    const effect = effects.find((one) => one.is(setTint));
    if (!effect) return current.map(changes);
    return Decoration.set(effect.value.map(({ from, to }) => tinted.range(from, to)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const tintedWords: Extension = tint;

/** Highlights what somebody else just inserted, for two seconds. */
export function tintWords(view: EditorView, ranges: readonly Range[]): void {
  const shown = ranges.filter(({ from, to }) => from < to);
  if (shown.length === 0) return;
  view.dispatch({ effects: setTint.of(shown) });
  const isSame = view.state.field(tint);
  setTimeout(() => {
    // A later change has its own two seconds. Typing moves the ranges, which keep their number.
    if (view.state.field(tint).size === isSame.size) view.dispatch({ effects: setTint.of([]) });
  }, TINT_MS);
}
