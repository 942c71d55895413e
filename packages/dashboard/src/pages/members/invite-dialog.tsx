import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { Role } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { whyNotManage } from '../people/roles.js';
import { EmailField } from '../people/person-fields.js';
import { InvitationLink } from './invitation-link.js';
import { RoleField } from './role-field.js';

/** Invites by email address and role, and shows the invitation link. */
export function InviteDialog({ onClose }: { onClose: CloseDialog }) {
  const { id, role: ownRole } = useAccount();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.POST('/dashboard/api/accounts/{accountId}/invitations', {
          params: { path: { accountId: id } },
          body: { email: email.trim(), role },
        }),
      ),
    // Only this component holds the link.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [id, 'invitations'] }),
  });
  if (invite.data) {
    return <InvitationLink title="Invitation created" invitation={invite.data} onClose={onClose} />;
  }
  return (
    <FormDialog
      whyNot={whyNotManage(ownRole, role)}
      title="Invite member"
      submit="Create invitation"
      submission={invite}
      disabled={email.trim() === ''}
      onSubmit={() => {
        invite.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">Creates a link that works once, only for this email address.</Text>
      <EmailField
        value={email}
        onChange={setEmail}
        error={invite.error}
        autoComplete="off"
        autoFocus
      />
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}
