import { useEffect } from 'react';
import type { Document } from '../document-types.js';
import type { MarkSource } from '../editor/marks.js';
import type { DocumentSession } from '../editor/document-session.js';
import { editorPosition } from '../editor/line-breaks.js';
import { placeIn, type Passage } from './locate.js';

/** Props of a panel about the text. */
export interface TextPanelProps {
  document: Document;
  session: DocumentSession;
  /** ID of the marked passage that was clicked in the text. */
  picked: string | undefined;
}

interface MarkedPassage extends Passage {
  id: string;
  message: string;
}

/** Marks passages in the text while the panel is open. */
export function useTextMarks(
  { session, document }: TextPanelProps,
  passages: readonly MarkedPassage[],
  source: MarkSource,
) {
  useEffect(() => {
    const { content } = session.autosave.yours;
    const ranges = passages.flatMap((passage) => {
      const place = placeIn(content, document.content, passage);
      if (!place) return [];
      const from = editorPosition(content, place.from);
      const to = editorPosition(content, place.to);
      return [{ id: passage.id, from, to, hint: passage.message }];
    });
    session.editor.mark(source, ranges);
  }, [session, passages, source, document.version, document.content]);
  useEffect(
    () => () => {
      session.editor.mark(source, []);
    },
    [session, source],
  );
}

/** Selects a passage in the text. Returns false if it has changed. */
export function jumpToPassage(
  { autosave, editor, snapshot }: Pick<DocumentSession, 'autosave' | 'editor' | 'snapshot'>,
  passage: Passage,
): boolean {
  const { content } = autosave.yours;
  const place = placeIn(content, snapshot().document?.content ?? content, passage);
  if (!place) return false;
  editor.jumpTo(editorPosition(content, place.from), editorPosition(content, place.to));
  return true;
}
