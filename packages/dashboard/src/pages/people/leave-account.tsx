import { Checkbox, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/client.js';
import type { AccountMembership } from '../../api/people.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { useForgetAccount } from './use-forget-account.js';

interface LeaveAccountProps {
  account: Pick<AccountMembership, 'id' | 'name'>;
  userId: string;
  onClose: CloseDialog;
}

/** Removes the person from an account. */
export function LeaveAccount({ account, userId, onClose }: LeaveAccountProps) {
  const forget = useForgetAccount();
  const [revokeKeys, setRevokeKeys] = useState(false);
  const leave = useMutation({
    mutationFn: () =>
      dashboardApi.DELETE('/dashboard/api/accounts/{accountId}/members/{userId}', {
        params: { path: { accountId: account.id, userId }, query: { revokeKeys } },
      }),
    onSuccess: async () => {
      await onClose();
      await forget(account.id);
      showDone(`You left ${account.name}.`);
    },
  });
  return (
    <FormDialog
      title="Leave account"
      submit="Leave account"
      color="red"
      submission={leave}
      onSubmit={() => {
        leave.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">You lose access to {account.name} until someone invites you again.</Text>
      <Checkbox
        label="Revoke my API keys in this account"
        description="These keys stop working either way. Keys you don't revoke work again if you rejoin."
        checked={revokeKeys}
        onChange={({ currentTarget }) => {
          setRevokeKeys(currentTarget.checked);
        }}
      />
    </FormDialog>
  );
}
