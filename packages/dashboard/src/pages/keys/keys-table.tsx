import { Badge, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiKey } from '../../api/keys.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Pager } from '../../components/pager.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time, useNow } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useSearchState } from '../../search-state.js';
import { keyState } from './key-state.js';
import { KeyBadge } from './key-panel.js';
import classes from './keys.module.css';
import { meaningOf } from './scope-groups.js';
import { countOf } from '../../components/numbers.js';

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'Name',
    kind: 'main',
    cell: ({ id, name, lastFour }) => (
      <>
        <AppLink to="." search={(state: object) => ({ ...state, open: id })}>
          {name}
        </AppLink>
        <code className={classes.lastFour}>…{lastFour}</code>
      </>
    ),
  },
  {
    title: 'Scopes',
    cell: ({ scopes }) => <Scopes scopes={scopes} />,
    kind: 'narrow',
    wideOnly: 'desktop',
  },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    kind: 'narrow',
    phoneLabel: 'Last used',
  },
  {
    title: 'Expires',
    cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />),
    kind: 'narrow',
    phoneLabel: 'Expires',
  },
  {
    title: 'Addresses',
    cell: ({ allowedIps }) =>
      allowedIps.length === 0 ? 'All' : countOf(allowedIps.length, 'range'),
    kind: 'narrow',
    wideOnly: 'desktop',
  },
  {
    title: 'Owner',
    cell: ({ owner }) => (
      <>
        {owner.name} {owner.kind === 'service' && <Badge color="gray">Service account</Badge>}
      </>
    ),
    kind: 'narrow',
    wideOnly: 'desktop',
  },
];

/** Maximum number of scopes per row, followed by the number of the others. */
const SHOWN_SCOPES = 2;

function Scopes({ scopes }: Pick<ApiKey, 'scopes'>) {
  const others = scopes.slice(SHOWN_SCOPES);
  return (
    <ul className={classes.badges}>
      {scopes.slice(0, SHOWN_SCOPES).map((scope) => (
        <li key={scope} title={meaningOf(scope)}>
          <Badge color="gray">{scope === '*' ? 'Everything' : scope}</Badge>
        </li>
      ))}
      {others.length > 0 && <li title={others.join(', ')}>+{others.length}</li>}
    </ul>
  );
}

const ENDED_COLUMNS: readonly Column<ApiKey>[] = [
  ...COLUMNS,
  { title: 'State', cell: (key) => <State apiKey={key} />, kind: 'narrow' },
];

function State({ apiKey }: { apiKey: ApiKey }) {
  return <KeyBadge state={keyState(apiKey, useNow())} />;
}

/** A page of a list of keys. */
export interface KeyListProps {
  /** Undefined while the keys load. */
  keys: readonly ApiKey[] | undefined;
  pagination: Parameters<typeof Pager>[0]['pagination'];
  error: unknown;
  onRetry: () => void;
  onRevoke: (key: ApiKey) => void;
}

interface KeysTableProps extends KeyListProps {
  ended: boolean;
  onEdit: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
  empty: { sentence: string; action?: ReactNode };
}

/** A page of the active keys, or of the expired and revoked ones. */
export function KeysTable(props: KeysTableProps) {
  const { keys, pagination, ended, error, onRetry, onEdit, onRotate, onRevoke, empty } = props;
  const [state] = useSearchState();
  const allowance = useAllowance('keys:write');
  return (
    <>
      <DataTable
        name="API keys"
        columns={ended ? ENDED_COLUMNS : COLUMNS}
        rows={keys}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        error={error}
        onRetry={onRetry}
        openId={state.open}
        empty={empty}
        {...(!ended && {
          actions: (key: ApiKey) => (
            <RowMenu name={key.name}>
              <Menu.Item
                onClick={() => {
                  onEdit(key);
                }}
                {...allowance}
              >
                Edit key
              </Menu.Item>
              <Menu.Item
                onClick={() => {
                  onRotate(key);
                }}
                {...allowance}
              >
                Rotate key
              </Menu.Item>
              <Menu.Item
                color="red"
                onClick={() => {
                  onRevoke(key);
                }}
                {...allowance}
              >
                Revoke key
              </Menu.Item>
            </RowMenu>
          ),
        })}
      />
      <Pager pagination={pagination} />
    </>
  );
}
