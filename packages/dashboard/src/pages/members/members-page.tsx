import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { Member } from '../../api/people.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { LeaveAccount } from '../people/leave-account.js';
import { manageableRoles, whyNotManage } from '../people/roles.js';
import { ChangeRole } from './change-role.js';
import { MemberFolders } from './member-folders.js';
import { InvitationsSection } from './invitations-section.js';
import { InviteDialog } from './invite-dialog.js';
import { MemberMenu } from './member-menu.js';
import { RemoveMember } from './remove-member.js';
import { RolesSection } from './roles-section.js';
import { capitalized } from '../../components/words.js';

const COLUMNS: readonly Column<Member>[] = [
  {
    title: 'Name',
    kind: 'narrow',
    cell: ({ name, isYou }) => (
      <>
        {name} {isYou && <Badge>You</Badge>}
      </>
    ),
  },
  {
    title: 'Email',
    kind: 'main',
    cell: ({ email, emailVerified }) => (
      <span title={email}>
        {email}{' '}
        {!emailVerified && (
          <Badge color="orange" title="This email address is not verified.">
            Unverified
          </Badge>
        )}
      </span>
    ),
  },
  { title: 'Role', cell: ({ role }) => capitalized(role), kind: 'narrow' },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <Time at={lastSeenAt} />),
    kind: 'narrow',
    phoneLabel: 'Last seen',
  },
  {
    title: 'Two-factor',
    cell: ({ twoFactor }) => (
      <Badge color={twoFactor ? 'green' : 'gray'}>{twoFactor ? 'On' : 'Off'}</Badge>
    ),
    kind: 'narrow',
    wideOnly: true,
  },
  {
    title: 'Joined',
    cell: ({ joinedAt }) => <Time at={joinedAt} format="day" />,
    kind: 'narrow',
    wideOnly: true,
  },
];

export function MembersPage() {
  const account = useAccount();
  const dialogs = useDialogs();
  const members = useQuery({
    queryKey: [account.id, 'members'],
    queryFn: () =>
      dataOf(
        dashboardApi.GET('/dashboard/api/accounts/{accountId}/members', {
          params: { path: { accountId: account.id } },
        }),
      ),
    refetchInterval: every(30_000) as never,
  });
  const mayInvite = manageableRoles(account.role).length > 0;
  const owners = members.data?.filter(({ role }) => role === 'owner').length ?? 0;
  const invite = (
    <Button
      leftSection={<Icon name="add" />}
      disabled={!mayInvite}
      title={mayInvite ? undefined : whyNotManage(account.role, 'viewer')}
      onClick={() => {
        dialogs.open('invite');
      }}
    >
      Invite member
    </Button>
  );
  return (
    <Page title="Members" sentence={`People with access to ${account.name}.`} actions={invite}>
      <DataTable
        name="Members"
        columns={COLUMNS}
        rows={members.data}
        idOf={({ userId }) => userId}
        nameOf={({ name }) => name}
        error={members.error}
        onRetry={() => void members.refetch()}
        expectedRows={3}
        empty={{ sentence: 'No members yet.', action: invite }}
        actions={(member) => (
          <MemberMenu
            member={member}
            isOnlyOwner={member.role === 'owner' && owners === 1}
            onOpen={(kind) => {
              dialogs.open(kind, member.userId);
            }}
          />
        )}
      />
      <InvitationsSection />
      <RolesSection />
      <Dialogs members={members.data} />
    </Page>
  );
}

/** Shows the dialog in the URL. */
function Dialogs({ members }: { members: readonly Member[] | undefined }) {
  const account = useAccount();
  const { dialog, of, close } = useDialogs();
  const member = members?.find(({ userId }) => userId === of);
  if (dialog === 'invite') return <InviteDialog onClose={close} />;
  if (!member) return null;
  if (dialog === 'leave' && member.isYou) {
    return <LeaveAccount account={account} userId={member.userId} onClose={close} />;
  }
  if (dialog === 'folders') return <MemberFolders member={member} onClose={close} />;
  if (dialog === 'change-role') return <ChangeRole member={member} onClose={close} />;
  if (dialog === 'remove') return <RemoveMember member={member} onClose={close} />;
  return null;
}
