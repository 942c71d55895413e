import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dataOf } from '../api/client.js';
import { useAccount } from '../api/session.js';
import { showFailure } from './messages.js';
import { showUndo } from './undo-message.js';

/** Returns the rules that the account turned off, and functions to turn rules off and on if the person may do that. */
export function useRules() {
  const { id, api, may } = useAccount();
  const queryClient = useQueryClient();
  const queryKey = [id, 'analysis-settings'];
  const settings = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/v1/analysis-settings')),
    enabled: may('documents:analyze'),
  });
  const change = useMutation({
    mutationFn: ({ ruleId, isOn }: { ruleId: string; isOn: boolean }) => {
      const body = isOn ? { enableRules: [ruleId] } : { disableRules: [ruleId] };
      return dataOf(api.PATCH('/v1/analysis-settings', { body }));
    },
    onSuccess: (changed, { ruleId, isOn }) => {
      queryClient.setQueryData(queryKey, changed);
      showUndo(`Rule ${ruleId} turned ${isOn ? 'on' : 'off'} for the account.`, () => {
        change.mutate({ ruleId, isOn: !isOn });
      });
    },
    onError: showFailure,
  });
  const disabledRules = settings.data?.disabledRules;
  const off = useMemo(() => new Set(disabledRules), [disabledRules]);
  const turn = (ruleId: string, isOn: boolean) => {
    if (!change.isPending) change.mutate({ ruleId, isOn });
  };
  return { settings, off, turn: may('*') ? turn : undefined };
}
