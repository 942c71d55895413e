import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { sessionQuery } from '../../api/session.js';

/** Goes to the profile, and forgets what was fetched of an account to which the person belongs no more. */
export function useForgetAccount() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    async (accountId: string) => {
      await navigate({ to: '/profile' });
      queryClient.removeQueries({ queryKey: [accountId] });
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    [queryClient, navigate],
  );
}
