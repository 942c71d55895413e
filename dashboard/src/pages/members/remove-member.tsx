import { Checkbox, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/client.js';
import type { Member } from '../../api/dashboard-schema.js';
import { useAccount } from '../../api/session.js';
import { FormDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';

interface RemoveMemberProps {
  member: Member;
  onClose: () => void;
}

export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const { id, name: accountName } = useAccount();
  const queryClient = useQueryClient();
  const [revokeKeys, setRevokeKeys] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      dashboardApi.DELETE('/dashboard/api/accounts/{id}/members/{userId}', {
        params: { path: { id, userId: member.userId }, query: { revokeKeys } },
      }),
    onSuccess: async () => {
      showDone(`${member.name} is removed.`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: [id, 'members'] });
      await queryClient.invalidateQueries({ queryKey: [id, 'keys'] });
    },
  });
  return (
    <FormDialog
      title="Remove"
      submit="Remove"
      color="red"
      submission={remove}
      onSubmit={() => {
        remove.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {member.name} ({member.email}) is out of {accountName} at once, on every device. Documents
        that they wrote stay.
      </Text>
      <Checkbox
        label="Revoke the API keys that this person made"
        description="They may know them. Programs that use them are refused at once; otherwise they go on."
        checked={revokeKeys}
        onChange={({ currentTarget }) => {
          setRevokeKeys(currentTarget.checked);
        }}
      />
    </FormDialog>
  );
}
