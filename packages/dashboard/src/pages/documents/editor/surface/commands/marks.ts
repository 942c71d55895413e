import { toggleMark } from 'prosemirror-commands';
import type { MarkType, Node } from 'prosemirror-model';
import { TextSelection, type Command, type EditorState } from 'prosemirror-state';
import { schema } from '../schema.js';

const { marks } = schema;

/** Adds the mark if a part of the selection lacks it. Without a selection, changes what is typed next. */
const toggle = (type: MarkType): Command => toggleMark(type, null, { removeWhenPresent: false });

export const toggleStrong = toggle(marks.strong);
export const toggleEmphasis = toggle(marks.em);
export const toggleCode = toggle(marks.code);
export const toggleStrike = toggle(marks.strike);

/** Returns whether all selected text has the mark, or whether text typed at the caret gets it. */
export function isMarkOn({ doc, selection, storedMarks }: EditorState, type: MarkType): boolean {
  const { $from, empty, ranges } = selection;
  if (empty)
    return (
      selection instanceof TextSelection && type.isInSet(storedMarks ?? $from.marks()) !== undefined
    );
  const texts: Node[] = [];
  for (const { $from: start, $to: end } of ranges)
    doc.nodesBetween(start.pos, end.pos, (node) => {
      if (node.isText && node.text?.trim() !== '') texts.push(node);
    });
  return texts.length > 0 && texts.every((node) => type.isInSet(node.marks));
}
