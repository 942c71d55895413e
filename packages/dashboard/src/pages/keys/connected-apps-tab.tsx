import { Menu } from '@mantine/core';
import type { ApiKey } from '../../api/keys.js';
import { AppHost } from '../../components/app-host.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Pager } from '../../components/pager.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useSearchState } from '../../search-state.js';
import type { KeyListProps } from './keys-table.js';

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'App',
    kind: 'main',
    cell: ({ id, name }) => (
      <AppLink to="." search={(state: object) => ({ ...state, open: id })}>
        {name}
      </AppLink>
    ),
  },
  { title: 'From', kind: 'narrow', cell: ({ client }) => <AppHost host={client?.host ?? null} /> },
  {
    title: 'Connected by',
    kind: 'narrow',
    cell: ({ owner }) => owner.name,
    phoneLabel: 'Connected by',
  },
  {
    title: 'Last used',
    kind: 'narrow',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    phoneLabel: 'Last used',
  },
  {
    title: 'Expires',
    kind: 'narrow',
    cell: ({ expiresAt }) => expiresAt !== null && <Time at={expiresAt} />,
    phoneLabel: 'Expires',
  },
];

/** The apps that people have connected on the consent page. */
export function ConnectedAppsTab({ keys, pagination, error, onRetry, onRevoke }: KeyListProps) {
  const [state] = useSearchState();
  const allowance = useAllowance('keys:write');
  return (
    <>
      <DataTable
        name="Connected apps"
        columns={COLUMNS}
        rows={keys}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        error={error}
        onRetry={onRetry}
        openId={state.open}
        empty={{
          sentence:
            'No connected apps yet. Apps that ask for access, such as MCP clients, appear here.',
        }}
        actions={(key) => (
          <RowMenu name={key.name}>
            <Menu.Item
              color="red"
              onClick={() => {
                onRevoke(key);
              }}
              {...allowance}
            >
              Disconnect
            </Menu.Item>
          </RowMenu>
        )}
      />
      <Pager pagination={pagination} />
    </>
  );
}
