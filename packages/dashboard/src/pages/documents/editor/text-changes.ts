import { textEdits, type Edit } from '@document-service/text-merge/text-edits';

/**
 * Returns the edits that turn `before` into `after`, by words. Compares only the lines from the first to the last
 * difference, so it is fast for long texts that differ in one place.
 */
export function changesBetween(before: string, after: string): Edit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  const from = head === 0 ? 0 : before.lastIndexOf('\n', head - 1) + 1;
  const lineEnd = before.indexOf('\n', before.length - tail);
  // With its line break, a line is equal to others.
  const rest = lineEnd === -1 ? 0 : before.length - lineEnd - 1;
  return textEdits(
    before.slice(from, before.length - rest),
    after.slice(from, after.length - rest),
  ).map((edit) => ({ from: from + edit.from, to: from + edit.to, insert: edit.insert }));
}
