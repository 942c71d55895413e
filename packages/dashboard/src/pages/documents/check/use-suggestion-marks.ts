import { useEffect } from 'react';
// The same function as in the service, so that both agree which suggestions still apply.
import { rebaseRanges } from '@document-service/text-merge/rebase-ranges';
import type { DocumentSession } from '../editor/document-session.js';
import { editorPosition, withPlainLineBreaks } from '../editor/line-breaks.js';
import type { MarkedRange } from '../editor/marks.js';
import { placeIn, type Place } from './locate.js';
import type { Suggestion } from './use-suggestions.js';

/** Suggestions whose positions refer to one text. */
export interface SuggestionsOfText {
  /** Undefined if it is not stored any more. */
  text: string | undefined;
  suggestions: readonly Suggestion[];
}

/** Marks the passages of the suggestions. Existing marks have moved with the text. */
export function useSuggestionMarks(
  session: DocumentSession,
  generated: readonly Suggestion[],
  proposed: readonly SuggestionsOfText[],
): void {
  useEffect(() => {
    const { content } = session.autosave.yours;
    const version = session.snapshot().document?.content ?? content;
    const known = new Map(session.editor.marks('suggestions').map((mark) => [mark.id, mark]));
    const isNew = ({ id }: Suggestion) => !known.has(id);
    const places = new Map<string, Place | undefined>();
    for (const one of generated.filter(isNew)) places.set(one.id, placeIn(content, version, one));
    for (const { text, suggestions } of proposed) {
      if (text === undefined) continue;
      const added = suggestions.filter(isNew);
      rebaseRanges(text, content, added).forEach((range, index) => {
        const { id = '', original } = added[index] ?? {};
        const isSame = range && content.slice(range.start, range.end) === original;
        if (isSame) places.set(id, { from: range.start, to: range.end });
      });
    }
    const all = [...generated, ...proposed.flatMap(({ suggestions }) => suggestions)];
    const ranges = all.flatMap(({ id, original, message: hint }): MarkedRange[] => {
      const mark = known.get(id);
      if (mark) return [{ ...mark, isHidden: false }];
      const place = places.get(id);
      if (!place) return [];
      const from = editorPosition(content, place.from);
      const to = editorPosition(content, place.to);
      return [{ id, from, to, hint, original: withPlainLineBreaks(original) }];
    });
    session.editor.mark('suggestions', ranges);
  }, [generated, proposed, session]);
  useEffect(
    () => () => {
      // Undo may still remove accepted replacements.
      const accepted = session.editor
        .marks('suggestions')
        .filter(({ id }) => session.acceptances.has(id))
        .map((mark) => ({ ...mark, isHidden: true }));
      session.editor.mark('suggestions', accepted);
    },
    [session],
  );
}
