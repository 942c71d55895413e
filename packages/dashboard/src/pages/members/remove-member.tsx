import { Checkbox, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/client.js';
import type { Member } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { whyNotManage } from '../people/roles.js';
import { showDone } from '../../components/messages.js';

interface RemoveMemberProps {
  member: Member;
  onClose: CloseDialog;
}

export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const { id, name: accountName, role: ownRole } = useAccount();
  const queryClient = useQueryClient();
  const [revokeKeys, setRevokeKeys] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      dashboardApi.DELETE('/dashboard/api/accounts/{accountId}/members/{userId}', {
        params: { path: { accountId: id, userId: member.userId }, query: { revokeKeys } },
      }),
    onSuccess: async () => {
      showDone(`${member.name} removed.`);
      await onClose();
      await queryClient.invalidateQueries({ queryKey: [id, 'members'] });
      await queryClient.invalidateQueries({ queryKey: [id, 'keys'] });
    },
  });
  return (
    <FormDialog
      whyNot={whyNotManage(ownRole, member.role)}
      title="Remove member"
      submit="Remove member"
      color="red"
      submission={remove}
      onSubmit={() => {
        remove.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {member.name} ({member.email}) loses access to {accountName} immediately. Their documents
        stay.
      </Text>
      <Checkbox
        label="Revoke API keys created by this person"
        description="These keys stop working either way. Keys you don't revoke work again if this person rejoins."
        checked={revokeKeys}
        onChange={({ currentTarget }) => {
          setRevokeKeys(currentTarget.checked);
        }}
      />
    </FormDialog>
  );
}
