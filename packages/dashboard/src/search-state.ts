import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What the address bar holds after the `?`: text by name. A name without a value is not there. */
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
  /** `true` adds no step for Back: for text that is being typed. */
  replace?: boolean;
}

/**
 * The state that a page keeps in the address bar, and what changes some of it. A change of a filter goes back to the first
 * page, unless it names one.
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
      // The entry stays that of the same new document, if it is one.
      void navigate({ to: '.', search: next as never, state: true, replace, resetScroll: false });
    },
    [navigate],
  );
  return [state, change] as const;
}
