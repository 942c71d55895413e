import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { Member } from '../../api/dashboard-schema.js';
import { sessionQuery, useAccount } from '../../api/session.js';
import { FormDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { RoleField } from './role-field.js';

interface ChangeRoleProps {
  member: Member;
  onClose: () => void;
}

export function ChangeRole({ member, onClose }: ChangeRoleProps) {
  const { id } = useAccount();
  const queryClient = useQueryClient();
  const [role, setRole] = useState(member.role);
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.PATCH('/dashboard/api/accounts/{id}/members/{userId}', {
          params: { path: { id, userId: member.userId } },
          body: { role },
        }),
      ),
    onSuccess: async () => {
      showDone(`${member.name} is ${role} now.`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: [id, 'members'] });
      if (member.isYou) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <FormDialog
      title="Change role"
      submit="Save"
      submission={change}
      disabled={role === member.role}
      onSubmit={() => {
        change.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {member.isYou ? 'Your role' : `The role of ${member.name}`} in this account. It counts from
        the next request on, wherever {member.isYou ? 'you are' : 'they are'} signed in.
      </Text>
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}
