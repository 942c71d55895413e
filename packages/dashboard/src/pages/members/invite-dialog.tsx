import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, dashboardApi } from '../../api/client.js';
import type { Role } from '../../api/people.js';
import { useAccount, useSession } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { whyNotManage } from '../people/roles.js';
import { EmailField } from '../people/person-fields.js';
import { InvitationLink } from './invitation-link.js';
import { RoleField } from './role-field.js';

const TITLE = 'Invite member';

/** Invites by email address and role. Sends the invitation by mail, or shows its link. */
export function InviteDialog({ onClose }: { onClose: CloseDialog }) {
  const { id, role: ownRole } = useAccount();
  const { mail } = useSession();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useMutation({
    mutationFn: () =>
      bodyOf(
        dashboardApi.POST('/dashboard/api/accounts/{accountId}/invitations', {
          params: { path: { accountId: id } },
          body: { email: email.trim(), role },
        }),
      ),
    // Only this component holds the link.
    gcTime: 0,
    onSuccess: async ({ data, meta }) => {
      if (mail && !meta.warnings) {
        showDone(`Invitation sent to ${data.email}.`);
        await onClose();
      }
      await queryClient.invalidateQueries({ queryKey: [id, 'invitations'] });
    },
  });
  // After a mail was sent, the dialog closes.
  if (invite.data && (!mail || invite.data.meta.warnings)) {
    const { data, meta } = invite.data;
    const mailProblem = meta.warnings?.[0]?.issue;
    return (
      <InvitationLink title="Invitation created" invitation={data} {...{ mailProblem, onClose }} />
    );
  }
  return (
    <FormDialog
      whyNot={whyNotManage(ownRole, role)}
      title={TITLE}
      submit={mail ? 'Send invitation' : 'Create invitation'}
      submission={invite}
      disabled={email.trim() === ''}
      onSubmit={() => {
        invite.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {mail
          ? 'Sends a link by mail that works once, only for this email address.'
          : 'Creates a link that works once, only for this email address.'}
      </Text>
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
