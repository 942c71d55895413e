import { useEffect, useSyncExternalStore } from 'react';
import type { DocumentSession } from '../documents/editor/document-session.js';

/** Saves what is typed, and returns the version that contains it: releases name versions. */
export function useSavedDocument(session: DocumentSession) {
  const view = useSyncExternalStore(session.subscribe, session.snapshot);
  const { document, isUnsaved, suggesting } = view;
  useEffect(() => void session.autosave.save(), [session]);
  return {
    id: document?.id ?? '',
    version: document?.version ?? 0,
    isPublished: document?.published !== undefined,
    isSaved: !isUnsaved || suggesting !== undefined,
  };
}

export const NOT_SAVED = 'Your last changes are not saved yet.';

/** Says what a release publishes whose versions are fixed. */
export function goesLive(version: number): string {
  return `Version ${String(version)} goes live. Later changes stay drafts.`;
}
