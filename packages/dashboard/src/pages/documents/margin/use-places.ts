import { useEffect, useState } from 'react';
import type { MarkPlace } from '../editor/marks.js';
import type { DocumentSession } from '../editor/document-session.js';

const NO_PLACES: readonly MarkPlace[] = [];

/** Returns the positions of the marked passages. */
export function usePlaces({ editor }: DocumentSession): readonly MarkPlace[] {
  const [places, setPlaces] = useState(NO_PLACES);
  useEffect(
    () =>
      editor.onPlaces((found) => {
        setPlaces((before) => (areSame(before, found) ? before : found));
      }),
    [editor],
  );
  return places;
}

function areSame(before: readonly MarkPlace[], after: readonly MarkPlace[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ id, top, isOriginal }, index) => {
      const other = after[index];
      return other?.id === id && other.top === top && other.isOriginal === isOriginal;
    })
  );
}
