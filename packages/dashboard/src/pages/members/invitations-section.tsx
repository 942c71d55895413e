import { Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, dashboardApi, dataOf } from '../../api/client.js';
import type { Invitation } from '../../api/people.js';
import { every } from '../../api/queries.js';
import { useAccount, useSession } from '../../api/session.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { showDone, showFailure } from '../../components/messages.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { manageableRoles, whyNotManage } from '../people/roles.js';
import { InvitationLink } from './invitation-link.js';
import classes from './members.module.css';
import { capitalized } from '../../components/words.js';

const COLUMNS: readonly Column<Invitation>[] = [
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => capitalized(role), kind: 'narrow' },
  {
    title: 'Invited by',
    cell: ({ invitedBy }) => invitedBy ?? 'Former member',
    phoneLabel: 'Invited by',
  },
  {
    title: 'Expires',
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
    kind: 'narrow',
    phoneLabel: 'Expires',
  },
];

interface Renewal {
  invitation: Invitation;
  /** True to send the new link by mail, false to show it. */
  byMail: boolean;
}

interface Renewed extends Invitation {
  link: string;
  byMail: boolean;
  mailProblem: string | undefined;
}

/** Pending invitations. Visible to people who may invite. */
export function InvitationsSection() {
  const { id, role } = useAccount();
  const { mail } = useSession();
  const mayInvite = manageableRoles(role).length > 0;
  const queryClient = useQueryClient();
  const invitations = useQuery({
    queryKey: [id, 'invitations'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{accountId}/invitations', {
          params: { path: { accountId: id } },
        }),
      ),
    enabled: mayInvite,
    refetchInterval: every(30_000) as never,
  });
  const [renewed, setRenewed] = useState<Renewed>();
  const renew = useMutation({
    mutationFn: ({ invitation }: Renewal) =>
      bodyOf(
        dashboardApi.POST('/dashboard/api/accounts/{accountId}/invitations/{invitationId}/link', {
          params: { path: { accountId: id, invitationId: invitation.id } },
        }),
      ),
    gcTime: 0,
    onSuccess: async ({ data: { link }, meta }, { invitation, byMail }) => {
      if (byMail && !meta.warnings) showDone(`Invitation sent to ${invitation.email}.`);
      else setRenewed({ ...invitation, link, byMail, mailProblem: meta.warnings?.[0]?.issue });
      await queryClient.invalidateQueries({ queryKey: [id, 'invitations'] });
    },
    onError: showFailure,
  });
  const takeBack = useMutation({
    mutationFn: (invitation: Invitation) =>
      dashboardApi.DELETE('/dashboard/api/accounts/{accountId}/invitations/{invitationId}', {
        params: { path: { accountId: id, invitationId: invitation.id } },
      }),
    onSuccess: async (_, { email }) => {
      showDone(`Invitation for ${email} revoked.`);
      await queryClient.invalidateQueries({ queryKey: [id, 'invitations'] });
    },
    onError: showFailure,
  });
  if (!mayInvite) return null;
  return (
    <section className={classes.section} aria-labelledby="invitations">
      <h2 id="invitations" className={classes.title}>
        Pending invitations
      </h2>
      <DataTable
        name="Invitations"
        columns={COLUMNS}
        rows={invitations.data}
        idOf={(invitation) => invitation.id}
        nameOf={({ email }) => email}
        error={invitations.error}
        onRetry={() => void invitations.refetch()}
        expectedRows={1}
        empty={{ sentence: 'No pending invitations.', isFiltered: true }}
        actions={(invitation) => (
          <InvitationMenu
            invitation={invitation}
            whyNot={whyNotManage(role, invitation.role)}
            onSend={
              mail
                ? () => {
                    renew.mutate({ invitation, byMail: true });
                  }
                : undefined
            }
            onRenew={() => {
              renew.mutate({ invitation, byMail: false });
            }}
            onTakeBack={() => {
              takeBack.mutate(invitation);
            }}
          />
        )}
      />
      {renewed && (
        <InvitationLink
          title={renewed.byMail ? 'Send again' : 'Create new link'}
          invitation={renewed}
          mailProblem={renewed.mailProblem}
          onClose={() => {
            setRenewed(undefined);
          }}
        />
      )}
    </section>
  );
}

interface InvitationMenuProps {
  invitation: Invitation;
  whyNot: string | undefined;
  /** Undefined if the service sends no mail. */
  onSend: (() => void) | undefined;
  onRenew: () => void;
  onTakeBack: () => void;
}

function InvitationMenu({ invitation, whyNot, onSend, onRenew, onTakeBack }: InvitationMenuProps) {
  const isDisabled = whyNot !== undefined;
  return (
    <RowMenu name={invitation.email}>
      {onSend && (
        <Menu.Item disabled={isDisabled} title={whyNot} onClick={onSend}>
          Send again
          <small className={classes.hint}>The old link stops working.</small>
        </Menu.Item>
      )}
      <Menu.Item disabled={isDisabled} title={whyNot} onClick={onRenew}>
        Create new link
        <small className={classes.hint}>The old link stops working.</small>
      </Menu.Item>
      <Menu.Item color="red" disabled={isDisabled} title={whyNot} onClick={onTakeBack}>
        Revoke invitation
      </Menu.Item>
    </RowMenu>
  );
}
