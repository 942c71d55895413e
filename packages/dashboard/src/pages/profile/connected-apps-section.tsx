import { Button, Text } from '@mantine/core';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { dataOf, v1 } from '../../api/client.js';
import type { ApiKey } from '../../api/keys.js';
import { useSession, useUser } from '../../api/session.js';
import { AppHost } from '../../components/app-host.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { useDialogs } from '../../components/use-dialogs.js';

interface OwnApp {
  app: ApiKey;
  account: { id: string; name: string };
}

const COLUMNS: readonly Column<OwnApp>[] = [
  { title: 'App', kind: 'main', cell: ({ app }) => app.name },
  { title: 'From', kind: 'narrow', cell: ({ app }) => <AppHost host={app.client?.host ?? null} /> },
  { title: 'Account', kind: 'narrow', cell: ({ account }) => account.name },
  {
    title: 'Last used',
    kind: 'narrow',
    cell: ({ app }) => (app.lastUsedAt === null ? 'Never' : <Time at={app.lastUsedAt} />),
    phoneLabel: 'Last used',
  },
];

const keyOf = (accountId: string) => [accountId, 'own-apps'];

/** Lists the apps that the person has connected, in all accounts. */
export function ConnectedAppsSection() {
  const user = useUser();
  const { accounts } = useSession();
  const { dialog, of, open, close } = useDialogs();
  const lists = useQueries({
    queries: accounts.map(({ id, name }) => ({
      queryKey: keyOf(id),
      queryFn: async () => {
        const apps = await dataOf(v1(id, user.id).GET('/v1/oauth/authorizations'));
        return apps.map((app): OwnApp => ({ app, account: { id, name } }));
      },
    })),
  });
  const isLoading = lists.some(({ isPending }) => isPending);
  const apps = lists.flatMap(({ data = [] }) => data);
  const ending = dialog === 'disconnect' && apps.find(({ app }) => app.id === of);
  return (
    <Section title="Connected apps">
      <DataTable
        name="Connected apps"
        columns={COLUMNS}
        rows={isLoading ? undefined : apps}
        idOf={({ app }) => app.id}
        nameOf={({ app }) => app.name}
        error={lists.find(({ error }) => error)?.error}
        onRetry={() => void Promise.all(lists.map(({ refetch }) => refetch()))}
        expectedRows={1}
        empty={{ sentence: 'You have connected no apps.', isFiltered: true }}
        actions={({ app }) => (
          <Button
            size="xs"
            variant="default"
            aria-label={`Disconnect ${app.name}`}
            onClick={() => {
              open('disconnect', app.id);
            }}
          >
            Disconnect
          </Button>
        )}
      />
      {ending && <Disconnect {...ending} onClose={close} />}
    </Section>
  );
}

function Disconnect({ app, account, onClose }: OwnApp & { onClose: CloseDialog }) {
  const user = useUser();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => {
      const params = { path: { id: app.id } };
      return dataOf(v1(account.id, user.id).DELETE('/v1/oauth/authorizations/{id}', { params }));
    },
    onSuccess: async () => {
      showDone(`${app.name} disconnected.`);
      await onClose();
      await queryClient.invalidateQueries({ queryKey: keyOf(account.id) });
    },
  });
  return (
    <FormDialog
      title="Disconnect"
      submit="Disconnect"
      color="red"
      submission={end}
      onSubmit={() => {
        end.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">
        {app.name} loses access to {account.name} immediately. It can ask for access again.
      </Text>
    </FormDialog>
  );
}
