import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { Member } from '../../api/people.js';
import { sessionQuery, useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { whyNotManage } from '../people/roles.js';
import { RoleField } from './role-field.js';

interface ChangeRoleProps {
  member: Member;
  onClose: CloseDialog;
}

export function ChangeRole({ member, onClose }: ChangeRoleProps) {
  const { id, role: ownRole } = useAccount();
  const queryClient = useQueryClient();
  const [role, setRole] = useState(member.role);
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.PATCH('/dashboard/api/accounts/{accountId}/members/{userId}', {
          params: { path: { accountId: id, userId: member.userId } },
          body: { role },
        }),
      ),
    onSuccess: async () => {
      showDone(`${member.name} is now ${role}.`);
      await onClose();
      await queryClient.invalidateQueries({ queryKey: [id, 'members'] });
      if (member.isYou) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <FormDialog
      whyNot={whyNotManage(ownRole, member.role)}
      title="Change role"
      submit="Save role"
      submission={change}
      disabled={role === member.role}
      onSubmit={() => {
        change.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        The new role applies immediately on every device where{' '}
        {member.isYou ? 'you are' : `${member.name} is`} signed in.
      </Text>
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}
