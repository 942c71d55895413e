import { useEffect, type RefObject } from 'react';
import type { Document } from '../document-types.js';
import type { Autosave } from '../editor/autosave.js';
import type { EditorHandle, MarkedRange } from '../editor/code-mirror.js';
import { editorPosition } from '../editor/line-breaks.js';
import { locate, type Passage } from './locate.js';

/** What a panel about the text is given. */
export interface TextPanelProps {
  document: Document;
  autosave: Autosave<Document>;
  editor: RefObject<EditorHandle | null>;
  onMarks: (marks: readonly MarkedRange[]) => void;
  /** Id of the marked passage that was clicked in the text. */
  picked: string | undefined;
}

export interface MarkedPassage extends Passage {
  id: string;
  message: string;
}

/** Marks passages in the text while the panel is open. */
export function useTextMarks(
  { autosave, document, onMarks }: TextPanelProps,
  passages: readonly MarkedPassage[],
  look: MarkedRange['look'],
) {
  useEffect(() => {
    const { content } = autosave.yours;
    const ranges = passages.flatMap((passage) => {
      const place = locate(content, passage);
      if (!place) return [];
      const from = editorPosition(content, place.from);
      const to = editorPosition(content, place.to);
      return [{ id: passage.id, from, to, look, hint: passage.message }];
    });
    onMarks(ranges);
  }, [autosave, passages, look, onMarks, document.version]);
  useEffect(
    () => () => {
      onMarks([]);
    },
    [onMarks],
  );
}

/** Selects a passage in the text; false when it has changed since. */
export function jumpToPassage(
  { autosave, editor }: Pick<TextPanelProps, 'autosave' | 'editor'>,
  passage: Passage,
): boolean {
  const { content } = autosave.yours;
  const place = locate(content, passage);
  if (!place) return false;
  editor.current?.jumpTo(editorPosition(content, place.from), editorPosition(content, place.to));
  return true;
}
