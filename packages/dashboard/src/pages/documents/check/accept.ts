import type { DocumentSession } from '../editor/document-session.js';
import { withPlainLineBreaks } from '../editor/line-breaks.js';

/** A replacement for a marked passage. */
export interface AcceptedReplacement {
  /** ID of the mark. */
  id: string;
  value: string;
  /** Set of the suggestion. Undefined for an issue of a check. */
  enhancementId: string | undefined;
}

/** Writes the replacements into the text as one undo step. If two overlap, the first wins. */
export function acceptReplacements(
  session: DocumentSession,
  chosen: readonly AcceptedReplacement[],
): void {
  const { editor, acceptances } = session;
  const byId = new Map(chosen.map((one) => [one.id, one]));
  const marks = [...editor.marks('issues'), ...editor.marks('suggestions')];
  let end = -1;
  const accepted = marks
    .sort((one, other) => one.from - other.from)
    .flatMap(({ id, from, to, isOriginal }) => {
      const one = byId.get(id);
      if (!one || !isOriginal || from < end) return [];
      end = to;
      return [{ ...one, from, to, value: withPlainLineBreaks(one.value) }];
    });
  if (accepted.length === 0) return;
  acceptances.add(
    accepted.flatMap(({ id, value, enhancementId }) =>
      enhancementId === undefined ? [] : [{ id, value, enhancementId }],
    ),
  );
  editor.replace(accepted.map(({ from, to, value }) => ({ from, to, insert: value })));
  markReplacements(session, accepted);
}

/** Marks the replacements. The mark of an insertion is empty, so it can be on either side of the new words. */
function markReplacements(
  { editor, autosave }: DocumentSession,
  accepted: readonly { id: string; from: number; to: number; value: string }[],
): void {
  const text = withPlainLineBreaks(autosave.yours.content);
  const ranges = new Map<string, { from: number; to: number }>();
  let shift = 0;
  for (const { id, from, to, value } of accepted) {
    const start = from + shift;
    const end = start + value.length;
    if (text.slice(start, end) === value) ranges.set(id, { from: start, to: end });
    shift += value.length - (to - from);
  }
  const marks = editor.marks('suggestions');
  editor.mark(
    'suggestions',
    marks.map((mark) => ({ ...mark, ...ranges.get(mark.id) })),
  );
}
