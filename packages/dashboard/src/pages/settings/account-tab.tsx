import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/account.js';
import type { AccountDetails } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { CopyButton } from '../../components/copy-button.js';
import { Facts } from '../../components/facts.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { countOf } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { PlansTable } from '../../components/plans-table.js';
import { Time } from '../../components/time.js';
import { ConnectedApps } from './connected-apps.js';
import { DeleteAccount } from './delete-account.js';
import { RenameAccount } from './rename-account.js';
import { capitalized } from '../../components/words.js';

/** The account: name, plan, retention periods, and deletion. */
export function AccountTab() {
  const { id, role } = useAccount();
  const account = useQuery(accountQuery(id));
  if (account.error && !account.data) {
    return <FailureAlert error={account.error} onRetry={() => void account.refetch()} />;
  }
  if (!account.data) return <LoadingLines rows={12} height={28} />;
  return (
    <>
      <Section title="Account">
        <Stack>
          <RenameAccount account={account.data} />
          <Facts
            of={[
              [
                'Account ID',
                <span key="id">
                  <code>{account.data.id}</code>{' '}
                  <CopyButton name="Copy ID" text={account.data.id} />
                </span>,
              ],
              ['Your role', capitalized(role)],
              ['Created', <Time key="created" at={account.data.createdAt} />],
            ]}
          />
        </Stack>
      </Section>
      <Section title="Connected apps">
        <ConnectedApps />
      </Section>
      <Section title="Plans">
        <PlansTable />
      </Section>
      <Section title="Retention">
        <Retention retention={account.data.retention} />
      </Section>
      <DeleteAccount account={account.data} />
    </>
  );
}

const KEPT: readonly (readonly [name: keyof AccountDetails['retention'], what: string])[] = [
  ['events', 'Events'],
  ['deliveries', 'Deliveries'],
  ['requests', 'Request log'],
  ['jobs', 'Jobs and their files'],
  ['trash', 'Documents in the trash'],
  ['audit', 'Audit log'],
];

function Retention({ retention }: Pick<AccountDetails, 'retention'>) {
  const rows = KEPT.map(([name, what]) => [what, daysOf(retention[name], name)] as const);
  return (
    <Stack>
      <Text size="sm">How long data is kept. The operator sets these limits.</Text>
      <Facts of={rows} />
    </Stack>
  );
}

function daysOf(days: number | null, name: string): string {
  if (days === null) return 'Forever';
  return days === 0 && name === 'requests' ? 'Not kept' : countOf(days, 'day');
}
