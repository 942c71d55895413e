export interface Edit {
  op: string;
  find?: string;
  with?: string;
  text?: string;
  at?: number | string;
  all?: boolean;
}

/** Applies one edit in the simplest way. */
export function editedText(text: string, edit: Edit): { text: string } | { reason: string } {
  if (edit.op === 'append') return { text: text + (edit.text ?? '') };
  if (edit.op === 'insert') {
    const at = edit.at === 'start' ? 0 : edit.at === 'end' ? text.length : Number(edit.at);
    if (at > text.length) return { reason: 'out_of_range' };
    const [before, after] = [text.slice(0, at), text.slice(at)];
    if (!before.isWellFormed()) return { reason: 'splits_character' };
    return { text: before + (edit.text ?? '') + after };
  }
  const find = edit.find ?? '';
  if (find === '') return { reason: 'empty_find' };
  const first = text.indexOf(find);
  if (first === -1) return { reason: 'not_found' };
  const inserted = edit.with ?? '';
  if (edit.all) return { text: text.split(find).join(inserted) };
  if (text.includes(find, first + 1)) return { reason: 'ambiguous' };
  return { text: text.slice(0, first) + inserted + text.slice(first + find.length) };
}
