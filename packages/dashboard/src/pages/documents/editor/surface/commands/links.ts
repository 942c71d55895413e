import type { Mark, ResolvedPos } from 'prosemirror-model';
import { TextSelection, type Command, type EditorState, type Transaction } from 'prosemirror-state';
import { schema } from '../schema.js';

const { link } = schema.marks;

export interface LinkRange {
  /** Document positions. */
  from: number;
  to: number;
  href: string;
  title: string | null;
  /** The text without images. */
  text: string;
}

/** Returns the whole link at the caret or around the selection. */
export function linkAround({ doc, selection }: EditorState): LinkRange | undefined {
  const { $from, $to, from, to } = selection;
  if (!$from.parent.inlineContent || !$from.sameParent($to)) return undefined;
  const beside = [$from.nodeAfter, selection.empty ? $from.nodeBefore : null];
  const mark = beside.map((node) => node && link.isInSet(node.marks)).find((found) => found);
  if (!mark) return undefined;
  const range = extentOf($from, mark);
  if (from < range.from || to > range.to) return undefined;
  const { href, title } = mark.attrs as Pick<LinkRange, 'href' | 'title'>;
  return { ...range, href, title, text: doc.textBetween(range.from, range.to) };
}

/** Returns the positions of the neighboring nodes that have the mark. */
function extentOf($position: ResolvedPos, mark: Mark): { from: number; to: number } {
  const { parent } = $position;
  const has = (index: number) => mark.isInSet(parent.maybeChild(index)?.marks ?? []);
  let first = $position.index();
  if (!has(first)) first -= 1;
  let last = first;
  while (has(first - 1)) first -= 1;
  while (has(last + 1)) last += 1;
  return {
    from: $position.posAtIndex(first),
    to: $position.posAtIndex(last + 1),
  };
}

/**
 * Changes the link at the caret, or links the selection. Without both, inserts `text` as a link.
 * The new text keeps the marks of the old text. The text of a link with an image does not change.
 */
export const setLink =
  ({ text, href }: { text: string; href: string }): Command =>
  (state, dispatch) => {
    const { $from, $to, from, to } = state.selection;
    if (!(state.selection instanceof TextSelection)) return false;
    if (!$from.parent.type.allowsMarkType(link) || !$from.sameParent($to)) return false;
    if (href === '') return false;
    const range = linkAround(state) ?? { from, to, title: null };
    if (dispatch) {
      const transaction = state.tr;
      const end = replaceText(transaction, range, text === '' ? href : text);
      transaction
        .removeMark(range.from, end, link)
        .addMark(range.from, end, link.create({ href, title: range.title }))
        .setSelection(TextSelection.create(transaction.doc, end))
        .removeStoredMark(link);
      dispatch(transaction.scrollIntoView());
    }
    return true;
  };

/** Replaces only the characters that differ. Returns the new end. */
function replaceText(
  transaction: Transaction,
  { from, to }: { from: number; to: number },
  text: string,
): number {
  const old = transaction.doc.textBetween(from, to);
  if (old.length < to - from) return to;
  const shortest = Math.min(old.length, text.length);
  let start = 0;
  while (start < shortest && old[start] === text[start]) start += 1;
  let same = 0;
  while (same < shortest - start && old.at(-1 - same) === text.at(-1 - same)) same += 1;
  const insert = text.slice(start, text.length - same);
  if (insert === '' && start + same === old.length) return to;
  if (insert === '') transaction.delete(from + start, to - same);
  else transaction.insertText(insert, from + start, to - same);
  return from + text.length;
}

/** Removes the link at the caret, or all links in the selection. The text stays. */
export const removeLink: Command = (state, dispatch) => {
  const { from, to } = linkAround(state) ?? state.selection;
  if (!state.doc.rangeHasMark(from, to, link)) return false;
  dispatch?.(state.tr.removeMark(from, to, link).scrollIntoView());
  return true;
};
