import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SearchState } from '../search-state.js';
import type { CloseDialog } from './dialog.js';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The history entry before this one is the same page without the dialog. */
    dialogHasPageBefore?: true;
  }
}

/** True while the browser goes back. A second step would leave the page. */
let closing: Promise<void> | undefined;

/**
 * Reads and opens the dialog in the URL: `?dialog=rotate-key&of=key_…`. Opening adds a history entry, so Back closes
 * the dialog and a reload opens it again.
 */
export function useDialogs() {
  const { dialog, of }: SearchState = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const open = useCallback(
    (name: string, subject?: string) => {
      void navigate({
        to: '.',
        search: ((before: SearchState) => ({ ...before, dialog: name, of: subject })) as never,
        // Keeps the session of a new document in the history entry.
        state: (before) => ({ ...before, dialogHasPageBefore: true }),
        resetScroll: false,
      });
    },
    [navigate],
  );
  /** Resolves when the dialog is closed, so that the caller can open another page. */
  const close: CloseDialog = useCallback(
    async (isLeaving = false) => {
      const { search, state } = router.history.location;
      if (isLeaving || !new URLSearchParams(search).has('dialog')) return;
      if (state.dialogHasPageBefore === true) {
        closing ??= new Promise<void>((resolve) => {
          const stop = router.history.subscribe(() => {
            stop();
            closing = undefined;
            resolve();
          });
          router.history.back({ ignoreBlocker: true });
        });
        await closing;
      } else {
        await navigate({
          to: '.',
          search: ((before: SearchState) => ({
            ...before,
            dialog: undefined,
            of: undefined,
          })) as never,
          replace: true,
          ignoreBlocker: true,
          resetScroll: false,
        });
      }
    },
    [navigate, router],
  );
  return { dialog, of, open, close };
}
