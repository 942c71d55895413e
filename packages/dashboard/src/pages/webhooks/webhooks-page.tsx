import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { Time } from '../../components/time.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { CreateWebhook } from './create-webhook.js';
import { EventBadges } from './event-badges.js';
import { SuccessBars } from './success-bars.js';
import type { Webhook } from './webhook-queries.js';
import { StatusCell } from './webhook-status.js';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'URL',
    cell: ({ id, url, description }) => (
      <>
        <AppLink to="/{-$accountId}/webhooks/$webhookId" params={{ webhookId: id }}>
          {url}
        </AppLink>
        {description !== null && <div>{description}</div>}
      </>
    ),
  },
  { title: 'Events', cell: ({ events }) => <EventBadges events={events} />, wideOnly: true },
  { title: 'Status', cell: (webhook) => <StatusCell webhook={webhook} /> },
  {
    title: 'Last delivery',
    cell: ({ lastDeliveryAt }) =>
      lastDeliveryAt === null ? 'None yet' : <Time at={lastDeliveryAt} />,
    kind: 'narrow',
  },
  {
    title: 'Last 24 hours',
    cell: ({ id, url }) => <SuccessBars webhookId={id} url={url} />,
    kind: 'narrow',
    wideOnly: true,
  },
];

export function WebhooksPage() {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const page = pageOf(state);
  const webhooks = useQuery({
    queryKey: [accountId, 'webhooks', 'list', page],
    queryFn: () =>
      bodyOf(api.GET('/v1/webhooks', { params: { query: { page, limit: PAGE_SIZE } } })),
    refetchInterval: every(15_000) as never,
  });
  const dialogs = useDialogs();
  const isEmpty = webhooks.data?.data.length === 0;
  const create = (
    <ScopedButton
      scope="webhooks:write"
      onClick={() => {
        dialogs.open('create-webhook');
      }}
    >
      Create webhook
    </ScopedButton>
  );
  return (
    <Page
      title="Webhooks"
      sentence="Webhooks send events to your server as signed HTTP requests."
      // In an empty list, the button is in the middle of the page.
      actions={!isEmpty && create}
    >
      <DataTable
        name="Webhooks"
        columns={COLUMNS}
        rows={webhooks.data?.data}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
        empty={{
          sentence: 'No webhooks yet. Create a webhook with your URL or a test receiver.',
          action: create,
        }}
      />
      <Pager pagination={webhooks.data?.meta.pagination} />
      {dialogs.dialog === 'create-webhook' && <CreateWebhook onClose={dialogs.close} />}
    </Page>
  );
}
