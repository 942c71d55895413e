import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The query of the URL. A parameter without a value does not exist. */
export type SearchState = Partial<Record<string, string>>;

export function parseSearch(search: string): SearchState {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeSearch(state: Record<string, unknown>): string {
  const given = Object.entries(state).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

interface ChangeOptions {
  /** True adds no history entry, for text that is being typed. */
  replace?: boolean;
}

/**
 * Returns the state in the URL and a function that changes a part of it. A changed filter resets the page number,
 * unless the change sets it.
 */
export function useSearchState() {
  const state: SearchState = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: SearchState, { replace = false }: ChangeOptions = {}) => {
      const next = (previous: SearchState) => ({
        ...previous,
        ...('open' in changes ? {} : { page: undefined, cursor: undefined }),
        ...changes,
      });
      // Keeps the session of a new document in the history entry.
      void navigate({ to: '.', search: next as never, state: true, replace, resetScroll: false });
    },
    [navigate],
  );
  return [state, change] as const;
}
