import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, type EditorState, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { Mark } from '../marks.js';
import type { Sources } from './sources.js';

/** Keeps decorations that a transaction sets and that move with the text. */
function decorationPlugin(key: PluginKey<DecorationSet>): Plugin<DecorationSet> {
  return new Plugin({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, current) => {
        const set = transaction.getMeta(key) as DecorationSet | undefined;
        return set ?? current.map(transaction.mapping, transaction.doc);
      },
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

const marksKey = new PluginKey<DecorationSet>('marks');
const tintKey = new PluginKey<DecorationSet>('tint');

/** Plugins that show marked passages and the words of others. */
export const decorationPlugins = () => [decorationPlugin(marksKey), decorationPlugin(tintKey)];

/** Returns a transaction that shows these marks and no others. */
export function showMarks(
  state: EditorState,
  sources: Sources,
  marks: readonly Mark[],
): Transaction {
  const { doc } = state;
  const shown = marks.map((mark) => decorationOf(doc, sources, mark));
  return state.tr.setMeta(marksKey, DecorationSet.create(doc, shown));
}

/** Returns a transaction that highlights these ranges and no others. */
export function showTint(
  state: EditorState,
  ranges: readonly { from: number; to: number }[],
): Transaction {
  const shown = ranges.map(({ from, to }) => Decoration.inline(from, to, { class: 'tinted' }));
  return state.tr.setMeta(tintKey, DecorationSet.create(state.doc, shown));
}

/** Returns the ranges of the new document whose text a transaction inserted. */
export function insertedRanges({ mapping }: Transaction): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  mapping.maps.forEach((map, index) => {
    const later = mapping.slice(index + 1);
    map.forEach((_from, _to, start, end) => {
      const [from, to] = [later.map(start, 1), later.map(end, -1)];
      if (from < to) ranges.push({ from, to });
    });
  });
  return ranges;
}

function decorationOf(doc: Node, sources: Sources, mark: Mark): Decoration {
  const { id, hint, source } = mark;
  const from = sources.positionAt(doc, mark.from, 1);
  if (mark.from === mark.to) {
    if (from === undefined) return badgeOf(doc, sources, mark);
    return Decoration.widget(from, () => elementOf('marked-point', mark), {
      side: 1,
      key: `${source} ${id}`,
    });
  }
  const to = sources.positionAt(doc, mark.to, -1);
  if (from === undefined || to === undefined || from >= to) return badgeOf(doc, sources, mark);
  return Decoration.inline(from, to, {
    class: `marked-${source}`,
    'data-mark': id,
    ...(hint !== undefined && { title: hint }),
  });
}

/** A badge on the block of a passage within markup, such as an address. */
function badgeOf(doc: Node, sources: Sources, mark: Mark): Decoration {
  const { from } = sources.blockAt(doc, mark.from);
  return Decoration.widget(from, () => elementOf('marked-badge', mark), {
    side: -1,
    ignoreSelection: true,
    key: `badge ${mark.source} ${mark.id}`,
  });
}

function elementOf(name: string, { id, source, hint }: Mark): HTMLElement {
  const element = document.createElement('span');
  element.className = `${name} marked-${source}`;
  element.dataset['mark'] = id;
  element.contentEditable = 'false';
  if (hint !== undefined) element.title = hint;
  return element;
}
