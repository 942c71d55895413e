import { Button, Text } from '@mantine/core';
import type { AccountMembership } from '../../api/people.js';
import { useSession, useUser } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Section } from '../../components/page.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { LeaveAccount } from '../people/leave-account.js';
import { capitalized } from '../../components/words.js';

const COLUMNS: readonly Column<AccountMembership>[] = [
  {
    title: 'Account',
    cell: ({ id, name }) => (
      <AppLink to="/{-$accountId}" params={{ accountId: id }}>
        {name}
      </AppLink>
    ),
  },
  { title: 'Role', cell: ({ role }) => capitalized(role), kind: 'narrow' },
  { title: 'Plan', cell: ({ plan }) => capitalized(plan), kind: 'narrow', wideOnly: true },
];

/** Lists the accounts of the person. */
export function AccountsSection() {
  const { accounts } = useSession();
  const user = useUser();
  const { dialog, of, open, close } = useDialogs();
  const leaving = dialog === 'leave' && accounts.find(({ id }) => id === of);
  return (
    <Section title="Accounts">
      <DataTable
        name="Accounts"
        columns={COLUMNS}
        rows={accounts}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{
          sentence: (
            <Text size="sm" component="span">
              No accounts yet. Ask an owner or admin to invite {user.email}.
            </Text>
          ),
        }}
        actions={(account) => (
          <Button
            size="xs"
            variant="default"
            aria-label={`Leave ${account.name}`}
            onClick={() => {
              open('leave', account.id);
            }}
          >
            Leave
          </Button>
        )}
      />
      {leaving && <LeaveAccount account={leaving} userId={user.id} onClose={close} />}
    </Section>
  );
}
