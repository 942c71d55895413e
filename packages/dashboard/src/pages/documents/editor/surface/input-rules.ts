import { inputRules, InputRule } from 'prosemirror-inputrules';
import {
  type Attrs,
  type MarkType,
  type Node,
  type NodeType,
  type ResolvedPos,
} from 'prosemirror-model';
import {
  Plugin,
  PluginKey,
  TextSelection,
  type Command,
  type EditorState,
  type Transaction,
} from 'prosemirror-state';
import { findWrapping } from 'prosemirror-transform';
import { retype } from './commands/blocks.js';
import { caretOf, cellDepth, itemDepth, mergeListsAt } from './commands/places.js';
import { schema } from './schema.js';
import { newTable } from './cells.js';

const { nodes, marks } = schema;

/** Converts typed Markdown. A typed space can be U+00A0 in Chromium. Backspace right after a conversion gives the letters back. */
export function surfaceInputRules(): Plugin {
  return inputRules({
    rules: [
      heading,
      bulletList,
      orderedList,
      quote,
      task,
      divider,
      markRule(/(^|[^*])(\*\*)([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.strong),
      markRule(/(^|[^*\w])(\*)([^*\s](?:[^*]*[^*\s])?)\*$/, marks.em),
      markRule(/(^|[^`])(`)([^`]+)`$/, marks.code),
      markRule(/(^|[^~])(~~)([^~\s](?:[^~]*[^~\s])?)~~$/, marks.strike),
    ],
  });
}

const heading = new InputRule(/^(#{1,6})\s$/, (state, [, signs = ''], start, end) => {
  const $start = state.doc.resolve(start);
  if (itemDepth($start) > 0 || cellDepth($start) > 0) return null;
  const transaction = state.tr.delete(start, end);
  const node = transaction.doc.resolve(start).parent;
  const block = { node, position: $start.before() };
  retype(transaction, [block], nodes.heading, { level: signs.length });
  return transaction;
});

const bulletList = new InputRule(/^([-+*])\s$/, (state, [, mark], start, end) =>
  wrapBlock(state, { start, end }, nodes.bullet_list, { mark }, () => true),
);

const orderedList = new InputRule(
  /^(\d{1,9})([.)])\s$/,
  (state, [, number, delimiter], start, end) => {
    const order = Number(number);
    return wrapBlock(state, { start, end }, nodes.ordered_list, { order, delimiter }, (list) => {
      return Number(list.attrs['order']) + list.childCount === order;
    });
  },
);

const quote = new InputRule(/^>\s$/, (state, _, start, end) =>
  wrapBlock(state, { start, end }, nodes.blockquote, null, () => true),
);

const task = new InputRule(/^\[([\sxX]?)\]\s$/, (state, [, sign = ''], start, end) => {
  const $start = state.doc.resolve(start);
  const checked = sign.toLowerCase() === 'x';
  if (!isItemStart($start)) {
    const transaction = wrapBlock(state, { start, end }, nodes.bullet_list, null, () => true);
    // The item is around the paragraph of the caret.
    const $caret = transaction?.selection.$from;
    return transaction && $caret
      ? transaction.setNodeMarkup($caret.before(-1), null, { checked })
      : null;
  }
  if ($start.parent.type !== nodes.paragraph) return null;
  return state.tr.delete(start, end).setNodeMarkup($start.before(-1), null, { checked });
});

/** A divider in an item would be read as one without an item. */
const divider = new InputRule(/^---$/, (state, _, start, end) => {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph || end < $start.end()) return null;
  if (itemDepth($start) > 0 || cellDepth($start) > 0) return null;
  const transaction = state.tr
    .delete(start, end)
    .insert($start.before(), nodes.horizontal_rule.create());
  return transaction;
});

const isItemStart = ($position: ResolvedPos): boolean =>
  $position.node(-1).type === nodes.list_item && $position.index(-1) === 0;

/** Wraps a paragraph that does not start an item, and merges the list or quote with its neighbors. */
function wrapBlock(
  state: EditorState,
  { start, end }: { start: number; end: number },
  type: NodeType,
  attributes: Attrs | null,
  continues: (before: Node) => boolean,
): Transaction | null {
  const $typed = state.doc.resolve(start);
  if ($typed.parent.type !== nodes.paragraph || isItemStart($typed)) return null;
  const transaction = state.tr.delete(start, end);
  const range = transaction.doc.resolve(start).blockRange();
  const wrapping = range && findWrapping(range, type, attributes);
  if (!wrapping) return null;
  transaction.wrap(range, wrapping);
  const before = range.start;
  const after = range.end + 2 * wrapping.length;
  const { nodeBefore } = transaction.doc.resolve(before);
  mergeListsAt(transaction, after);
  if (nodeBefore?.type === type && continues(nodeBefore)) transaction.join(before);
  return transaction;
}

/** Adds the mark to the third group of the expression and removes the delimiter, the second group. Images stay. */
function markRule(expression: RegExp, type: MarkType): InputRule {
  return new InputRule(
    expression,
    (state, [, before = '', delimiter = '', inner = ''], start, end) => {
      const from = start + before.length + delimiter.length;
      const to = from + inner.length;
      if (to > end || !state.doc.resolve(start).parent.type.allowsMarkType(type)) return null;
      return state.tr
        .addMark(from, to, type.create())
        .delete(to, end)
        .delete(from - delimiter.length, from)
        .removeStoredMark(type);
    },
    { inCodeMark: false },
  );
}

/** A conversion by Enter, which Backspace undoes. */
interface Conversion {
  transaction: Transaction;
  caret: number;
}

const conversionKey = new PluginKey<Conversion | null>('conversion');

/** Remembers the conversion that Enter made last. */
export const enterConversions = (): Plugin =>
  new Plugin<Conversion | null>({
    key: conversionKey,
    state: {
      init: () => null,
      apply(transaction, last) {
        const made = transaction.getMeta(conversionKey) as Conversion | undefined;
        if (made) return made;
        return transaction.docChanged || transaction.selectionSet ? null : last;
      },
    },
  });

/** Gives the letters back right after Enter converted them. */
export const undoConversion: Command = (state, dispatch) => {
  const made = conversionKey.getState(state);
  if (!made) return false;
  if (dispatch) {
    const transaction = state.tr;
    const { steps, docs } = made.transaction;
    for (const [index, step] of [...steps.entries()].toReversed()) {
      const doc = docs[index];
      if (doc) transaction.step(step.invert(doc));
    }
    transaction.setSelection(TextSelection.create(transaction.doc, made.caret));
    dispatch(transaction.scrollIntoView());
  }
  return true;
};

/** Turns a paragraph of "```" and a language into code, and one of cells between pipes into a table. */
export const convertLine: Command = (state, dispatch) => {
  const $caret = caretOf(state);
  if (!$caret || $caret.parentOffset < $caret.parent.content.size) return false;
  const { parent } = $caret;
  const container = $caret.node(-1);
  const isTask = container.attrs['checked'] !== null && container.type === nodes.list_item;
  const isPlain =
    parent.type === nodes.paragraph && parent.textContent.length === parent.content.size;
  if (!isPlain || cellDepth($caret) > 0 || (isTask && isItemStart($caret))) return false;
  const block = codeOf(parent) ?? tableOf(parent);
  if (!block) return false;
  if (dispatch) {
    const start = $caret.before();
    const transaction = state.tr.replaceWith(start, $caret.after(), block);
    const caret = block.type === nodes.table ? endOfHeader(block) : 1;
    transaction.setSelection(TextSelection.create(transaction.doc, start + caret));
    transaction.setMeta(conversionKey, { transaction, caret: $caret.pos } satisfies Conversion);
    dispatch(transaction.scrollIntoView());
  }
  return true;
};

/** Returns the position in the first cell below the header, from the start of the table. */
const endOfHeader = (table: Node): number => 1 + (table.firstChild?.nodeSize ?? 0) + 3;

function codeOf({ textContent }: Node): Node | undefined {
  const [, fence, info = ''] = /^(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(textContent) ?? [];
  if (fence === undefined) return undefined;
  return nodes.code_block.create({ fence, info: info.trim() });
}

/** Returns the table with a header of the cells and an empty row. One cell is no table. */
function tableOf(paragraph: Node): Node | undefined {
  const { textContent } = paragraph;
  if (!/^\|(?:[^|]*\|){2,}\s*$/.test(textContent)) return undefined;
  const ends = [...textContent.matchAll(/\|/g)].map(({ index }) => index);
  const cells = ends.slice(1).map((end, index) => {
    const start = (ends[index] ?? 0) + 1;
    const text = textContent.slice(start, end);
    const left = text.length - text.trimStart().length;
    const right = Math.max(left, text.trimEnd().length);
    return nodes.paragraph.create(null, paragraph.content.cut(start + left, start + right));
  });
  return newTable(2, cells.length, cells);
}
