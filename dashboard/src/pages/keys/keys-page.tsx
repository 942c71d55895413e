import { Badge, Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { FormDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';

type ApiKey = components['schemas']['ApiKey'];

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <AppLink to="." search={(state: object) => ({ ...state, open: id })}>
        {name}
      </AppLink>
    ),
  },
  { title: 'Key', cell: ({ lastFour }) => `…${lastFour}`, kind: 'narrow' },
  { title: 'Scopes', cell: ({ scopes }) => scopes.map((one) => <Badge key={one}>{one}</Badge>) },
  {
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
    kind: 'narrow',
  },
];

export function KeysPage() {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const page = pageOf(state);
  const keys = useQuery({
    queryKey: [accountId, 'keys', page],
    queryFn: () => bodyOf(api.GET('/v1/keys', { params: { query: { page, limit: PAGE_SIZE } } })),
  });
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <Page
      title="API keys"
      sentence="A key lets a program use this account."
      actions={<Button>Create key</Button>}
    >
      <DataTable
        name="API keys"
        columns={COLUMNS}
        rows={keys.data?.data}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        openId={state.open}
        empty={{ sentence: 'No program has a key yet.', action: <Button>Create key</Button> }}
        actions={(key) => (
          <RowMenu name={key.name}>
            <Menu.Item
              color="red"
              onClick={() => {
                setRevoking(key);
              }}
            >
              Revoke
            </Menu.Item>
          </RowMenu>
        )}
      />
      <Pager pagination={keys.data?.meta.pagination} />
      {revoking && (
        <RevokeKey
          apiKey={revoking}
          onClose={() => {
            setRevoking(undefined);
          }}
        />
      )}
    </Page>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => dataOf(api.DELETE('/v1/keys/{id}', { params: { path: { id: apiKey.id } } })),
    onSuccess: async () => {
      showDone(`${apiKey.name} is revoked.`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: [accountId, 'keys'] });
    },
  });
  return (
    <FormDialog
      title="Revoke"
      submit="Revoke"
      color="red"
      submission={revoke}
      onSubmit={() => {
        revoke.mutate();
      }}
      onClose={onClose}
    >
      Programs that use {apiKey.name} are refused at once.
    </FormDialog>
  );
}
