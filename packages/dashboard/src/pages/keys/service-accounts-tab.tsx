import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { every } from '../../api/queries.js';
import { serviceAccountsQuery, type ServiceAccount } from '../../api/service-accounts.js';
import { useAccount } from '../../api/session.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { capitalized } from '../../components/words.js';

const COLUMNS: readonly Column<ServiceAccount>[] = [
  { title: 'Name', kind: 'main', cell: ({ name }) => name },
  { title: 'Role', kind: 'narrow', cell: ({ role }) => capitalized(role) },
  {
    title: 'Active keys',
    kind: 'number',
    cell: ({ activeKeys }) => activeKeys,
    phoneLabel: 'Active keys',
  },
  {
    title: 'Last used',
    kind: 'narrow',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    phoneLabel: 'Last used',
  },
  {
    title: 'Created',
    kind: 'narrow',
    cell: ({ createdAt }) => <Time at={createdAt} format="day" />,
    wideOnly: true,
  },
];

/** The service accounts. `create`: the button of an empty list. */
export function ServiceAccountsTab({ create }: { create: ReactNode }) {
  const { id, api } = useAccount();
  const allowance = useAllowance('keys:write');
  const dialogs = useDialogs();
  const services = useQuery({
    ...serviceAccountsQuery(id, api),
    refetchInterval: every(30_000) as never,
  });
  const item = (name: string, dialog: string, service: ServiceAccount, color?: 'red') => (
    <Menu.Item
      {...(color && { color })}
      onClick={() => {
        dialogs.open(dialog, service.id);
      }}
      {...allowance}
    >
      {name}
    </Menu.Item>
  );
  return (
    <DataTable
      name="Service accounts"
      columns={COLUMNS}
      rows={services.data}
      idOf={(service) => service.id}
      nameOf={({ name }) => name}
      error={services.error}
      onRetry={() => void services.refetch()}
      expectedRows={3}
      empty={{
        sentence:
          'No service accounts yet. A service account owns API keys that keep working when people leave.',
        action: create,
      }}
      actions={(service) => (
        <RowMenu name={service.name}>
          {item('Create key', 'create-key', service)}
          {item('Edit service account', 'edit-service-account', service)}
          {item('Delete service account', 'delete-service-account', service, 'red')}
        </RowMenu>
      )}
    />
  );
}
