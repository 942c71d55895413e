import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { sessionQuery } from '../../api/session.js';

/** Opens the profile and drops cached data of an account that the person left. */
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
