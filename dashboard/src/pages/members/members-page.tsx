import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { Member } from '../../api/dashboard-schema.js';
import { every } from '../../api/queries.js';
import { useAccount, useUser } from '../../api/session.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { LeaveAccount } from '../people/leave-account.js';
import { manageableRoles, whyNotManage } from '../people/roles.js';
import { ChangeRole } from './change-role.js';
import { InvitationsSection } from './invitations-section.js';
import { InviteDialog } from './invite-dialog.js';
import { MemberMenu, type MemberAction } from './member-menu.js';
import { RemoveMember } from './remove-member.js';
import { RolesSection } from './roles-section.js';

const COLUMNS: readonly Column<Member>[] = [
  {
    title: 'Name',
    cell: ({ name, isYou }) => (
      <>
        {name} {isYou && <Badge>You</Badge>}
      </>
    ),
  },
  { title: 'E-mail', cell: ({ email }) => email },
  { title: 'Role', cell: ({ role }) => role, kind: 'narrow' },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <Time at={lastSeenAt} />),
    kind: 'narrow',
  },
  {
    title: 'Two-factor',
    cell: ({ twoFactor }) => (
      <Badge color={twoFactor ? 'green' : 'gray'}>{twoFactor ? 'On' : 'Off'}</Badge>
    ),
    kind: 'narrow',
  },
  {
    title: 'Joined',
    cell: ({ joinedAt }) => <Time at={joinedAt} format="day" />,
    kind: 'narrow',
    wideOnly: true,
  },
];

type OpenDialog = { kind: 'invite' } | { kind: MemberAction; member: Member };

export function MembersPage() {
  const account = useAccount();
  const user = useUser();
  const [open, setOpen] = useState<OpenDialog>();
  const members = useQuery({
    queryKey: [account.id, 'members'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{id}/members', {
          params: { path: { id: account.id } },
        }),
      ),
    refetchInterval: every(30_000) as never,
  });
  const mayInvite = manageableRoles(account.role).length > 0;
  const owners = members.data?.filter(({ role }) => role === 'owner').length ?? 0;
  const close = () => {
    setOpen(undefined);
  };
  const invite = (
    <Button
      disabled={!mayInvite}
      title={mayInvite ? undefined : whyNotManage(account.role, 'viewer')}
      onClick={() => {
        setOpen({ kind: 'invite' });
      }}
    >
      Invite
    </Button>
  );
  return (
    <Page title="Members" sentence={`The people who work in ${account.name}.`} actions={invite}>
      <DataTable
        name="Members"
        columns={COLUMNS}
        rows={members.data}
        idOf={({ userId }) => userId}
        nameOf={({ name }) => name}
        error={members.error}
        onRetry={() => void members.refetch()}
        expectedRows={3}
        empty={{ sentence: 'Nobody belongs to this account.', action: invite }}
        actions={(member) => (
          <MemberMenu
            member={member}
            isOnlyOwner={member.role === 'owner' && owners === 1}
            onOpen={(kind) => {
              setOpen({ kind, member });
            }}
          />
        )}
      />
      <InvitationsSection />
      <RolesSection />
      {open?.kind === 'invite' && <InviteDialog onClose={close} />}
      {open?.kind === 'role' && <ChangeRole member={open.member} onClose={close} />}
      {open?.kind === 'remove' && <RemoveMember member={open.member} onClose={close} />}
      {open?.kind === 'leave' && (
        <LeaveAccount account={account} userId={user.id} onClose={close} />
      )}
    </Page>
  );
}
