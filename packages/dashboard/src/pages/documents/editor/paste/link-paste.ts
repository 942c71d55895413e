import { TextSelection, type EditorState, type Transaction } from 'prosemirror-state';
import { safeAddress } from '../addresses.js';
import { schema } from '../surface/schema.js';

/**
 * Makes the selected text a link to a pasted address. Returns undefined if it is not an address, or if no link fits.
 */
export function linkSelection(state: EditorState, pasted: string): Transaction | undefined {
  const { selection } = state;
  const { $from, $to, from, to, empty } = selection;
  const href = pasted.trim();
  if (empty || /\s/.test(href) || !/^(?:https?:\/\/|mailto:)./i.test(href)) return undefined;
  if (safeAddress(href) === undefined) return undefined;
  if (!(selection instanceof TextSelection) || !$from.sameParent($to)) return undefined;
  const text = state.doc.textBetween(from, to, undefined, '\ufffc');
  const words = text.trim();
  if (words === '' || safeAddress(words) !== undefined) return undefined;
  let fits = $from.parent.type.allowsMarkType(schema.marks.link);
  state.doc.nodesBetween(from, to, ({ isInline, type, marks }) => {
    const isLinkable =
      type.name !== 'image' && !marks.some((mark) => /^(?:link|html)$/.test(mark.type.name));
    if (isInline && !isLinkable) fits = false;
  });
  if (!fits) return undefined;
  const start = from + text.indexOf(words);
  const tr = state.tr.addMark(start, start + words.length, schema.mark('link', { href }));
  return tr.setSelection(TextSelection.create(tr.doc, to)).removeStoredMark(schema.marks.link);
}
