import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { MiddleEllipsis } from '../../components/middle-ellipsis.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, Pager, pageOf } from '../../components/pager.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { Time } from '../../components/time.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { useSearchState } from '../../search-state.js';
import { CreateWebhook } from './create-webhook.js';
import { SuccessBars } from './success-bars.js';
import type { Webhook } from './webhook-queries.js';
import { hostAndPath, webhookName } from './webhook-name.js';
import { StatusCell } from './webhook-status.js';
import classes from './webhooks-page.module.css';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: 'Name',
    kind: 'main',
    cell: (webhook) => (
      <>
        <AppLink
          to="/{-$accountId}/webhooks/$webhookId"
          params={{ webhookId: webhook.id }}
          title={webhook.url}
          aria-label={webhookName(webhook)}
        >
          <MiddleEllipsis text={webhookName(webhook)} />
        </AppLink>
        {webhook.description !== null && (
          <span className={classes.address} title={webhook.url}>
            <MiddleEllipsis text={hostAndPath(webhook.url)} />
          </span>
        )}
      </>
    ),
  },
  { title: 'Status', cell: (webhook) => <StatusCell webhook={webhook} />, kind: 'narrow' },
  {
    title: 'Events',
    cell: ({ events }) => <Events events={events} />,
    kind: 'narrow',
    wideOnly: 'desktop',
  },
  {
    title: 'Last success',
    cell: ({ lastDeliveryAt }) =>
      lastDeliveryAt === null ? 'None yet' : <Time at={lastDeliveryAt} />,
    kind: 'narrow',
    phoneLabel: 'Last success',
  },
  {
    title: 'Success in 24 hours',
    cell: (webhook) => <SuccessBars webhookId={webhook.id} name={webhookName(webhook)} />,
    wideOnly: true,
  },
];

/** Maximum number of event names per row, followed by the number of the others. */
const SHOWN_EVENTS = 1;

function Events({ events }: Pick<Webhook, 'events'>) {
  const others = events.length - SHOWN_EVENTS;
  return (
    <span className={classes.events} title={events.join(', ')}>
      {events.slice(0, SHOWN_EVENTS).map(eventsName).join(', ')}
      {others > 0 && ` +${String(others)}`}
    </span>
  );
}

function eventsName(event: string): string {
  return event === '*' ? 'All events' : event;
}

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
      leftSection={<Icon name="add" />}
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
      // An empty list has this button in the middle of the page.
      actions={!isEmpty && create}
    >
      <DataTable
        name="Webhooks"
        columns={COLUMNS}
        rows={webhooks.data?.data}
        idOf={({ id }) => id}
        nameOf={webhookName}
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
        empty={{
          sentence:
            'No webhooks yet. Each webhook appears here with its status and its success rate. Start with your URL or a test receiver.',
          action: create,
        }}
      />
      <Pager pagination={webhooks.data?.meta.pagination} />
      {dialogs.dialog === 'create-webhook' && <CreateWebhook onClose={dialogs.close} />}
    </Page>
  );
}
