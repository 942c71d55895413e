import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SessionState } from '../../api/people.js';
import { sessionQuery } from '../../api/session.js';
import { pathAfterSignIn } from './next-page.js';

/** Starts the session of a sign-in and opens a page. Drops cached data, which may belong to another person. */
export function useBeginSession() {
  const queryClient = useQueryClient();
  const { history } = useRouter();
  return useCallback(
    (session: SessionState, next?: string) => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      queryClient.setQueryData(sessionQuery.queryKey, session);
      history.replace(pathAfterSignIn(next));
    },
    [queryClient, history],
  );
}
