import { toggleMark } from 'prosemirror-commands';
import type { MarkType } from 'prosemirror-model';
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
  let isOn = false;
  let isOff = false;
  for (const range of ranges)
    doc.nodesBetween(range.$from.pos, range.$to.pos, (node) => {
      if (!node.isText || node.text?.trim() === '') return;
      if (type.isInSet(node.marks)) isOn = true;
      else isOff = true;
    });
  return isOn && !isOff;
}
