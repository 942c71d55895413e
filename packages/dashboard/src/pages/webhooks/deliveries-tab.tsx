import { Badge, Button, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { DocumentLink } from '../../components/document-link.js';
import { FilterChips, type ChipFilter } from '../../components/filter-chips.js';
import { formatCount } from '../../components/numbers.js';
import { Pager } from '../../components/pager.js';
import { ScopedButton } from '../../components/scoped-button.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { Time, useNow } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { isDeliveryOrEventId, STATUSES, useDeliveries } from './deliveries-list.js';
import { useDeliverySubjects } from './delivery-subjects.js';
import { nextAttemptOf, shortOutcomeOf, stateOf, type DeliveryState } from './delivery-words.js';
import { RECOVER_ALL } from './recover.js';
import type { Delivery, Webhook } from './webhook-queries.js';
import classes from './deliveries-tab.module.css';
import { capitalized } from '../../components/words.js';

const COLOURS = {
  pending: 'blue',
  paused: 'orange',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'gray',
} as const;

export function DeliveryStatus({ state }: { state: DeliveryState }) {
  return (
    <Badge color={COLOURS[state]} miw="max-content">
      {capitalized(state)}
    </Badge>
  );
}

const FILTERS: readonly ChipFilter[] = [
  {
    name: 'status',
    label: 'Status',
    options: STATUSES.map((one) => [one, capitalized(one)] as const),
  },
  {
    name: 'id',
    label: 'Delivery or event ID',
    placeholder: 'dlv_01kam3k0v5e0rbk1y2c9q4w7zt',
    accepts: isDeliveryOrEventId,
  },
];

const PRESETS = [
  { label: 'All', filters: { status: undefined, id: undefined } },
  { label: 'Pending', filters: { status: 'pending' } },
  { label: 'Failed', filters: { status: 'failed' } },
];

const columnsOf = (
  webhook: Webhook,
  subjects: ReadonlyMap<string, string>,
): readonly Column<Delivery>[] => [
  {
    title: 'Event',
    cell: ({ id, webhookId, eventType }) => (
      <AppLink
        to="/{-$accountId}/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ webhookId, deliveryId: id }}
        search={(state: object) => ({ ...state, attempt: undefined })}
        resetScroll={false}
      >
        {eventType}
      </AppLink>
    ),
    kind: 'narrow',
  },
  {
    title: 'Subject',
    cell: ({ eventId }) => <Subject documentId={subjects.get(eventId)} />,
    kind: 'main',
  },
  {
    title: 'Status',
    cell: (delivery) => <DeliveryStatus state={stateOf(delivery, webhook)} />,
    kind: 'narrow',
  },
  {
    title: 'Outcome',
    cell: (delivery) => (
      <span className={classes.outcome}>
        <Outcome delivery={delivery} webhook={webhook} />
      </span>
    ),
  },
  {
    title: 'Attempts',
    cell: ({ attemptCount }) => formatCount(attemptCount),
    kind: 'number',
    wideOnly: 'desktop',
  },
  { title: 'Event time', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
];

function Subject({ documentId = '' }: { documentId: string | undefined }) {
  return documentId === '' ? null : <DocumentLink documentId={documentId} />;
}

function Outcome({ delivery, webhook }: { delivery: Delivery; webhook: Webhook }) {
  const now = useNow();
  const outcome = shortOutcomeOf(delivery, webhook, now);
  const state = stateOf(delivery, webhook);
  const isTriedAgain =
    webhook.status === 'active' &&
    (state === 'paused' || (state === 'pending' && delivery.attemptCount > 0));
  if (!isTriedAgain) return outcome;
  const next = nextAttemptOf(delivery, webhook, now);
  if (!next)
    return `${outcome}, ${state === 'paused' ? 'next attempt in a moment' : 'retrying now'}`;
  return (
    <>
      {outcome}, next attempt <Time at={next.toISOString()} />
    </>
  );
}

/** Lists the deliveries of a webhook. */
export function DeliveriesTab({ webhook }: { webhook: Webhook }) {
  const [{ status, id }, change] = useSearchState();
  const active = [status, id].filter((one) => one !== undefined).length;
  const { deliveryId } = useParams({ strict: false });
  const deliveries = useDeliveries(webhook.id);
  const pagination = deliveries.data?.meta.pagination;
  const subjects = useDeliverySubjects(deliveries.data?.data);
  return (
    <>
      <FilterChips label="Deliveries" filters={FILTERS} presets={PRESETS} />
      {id === undefined && (status === 'failed' || status === 'cancelled') && (
        <SendAllAnew webhook={webhook} total={pagination?.total ?? 0} />
      )}
      <DataTable
        name="Deliveries"
        columns={columnsOf(webhook, subjects)}
        rows={deliveries.data?.data}
        idOf={({ id }) => id}
        nameOf={({ eventType, id }) => `${eventType} ${id}`}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        openId={deliveryId}
        empty={
          active === 0
            ? {
                sentence:
                  'No deliveries yet. Each event this webhook receives appears here with its attempts. Send a test event to try it.',
              }
            : {
                sentence: noneSentence(status, id),
                isFiltered: true,
                action: (
                  <Button
                    variant="default"
                    onClick={() => {
                      change({ status: undefined, id: undefined });
                    }}
                  >
                    Show all deliveries
                  </Button>
                ),
              }
        }
      />
      <Pager pagination={pagination} />
    </>
  );
}

function noneSentence(status: string | undefined, id: string | undefined): string {
  const what = status === undefined ? 'No' : `No ${status}`;
  return id === undefined ? `${what} deliveries.` : `${what} deliveries with this ID.`;
}

/** Applies to all matching deliveries, not only to the visible page. */
function SendAllAnew({ webhook, total }: { webhook: Webhook; total: number }) {
  const { open } = useDialogs();
  if (total === 0) return null;
  if (webhook.status === 'disabled') {
    return (
      <Text size="sm" c="dimmed" mb="md">
        Enable the webhook to resend deliveries.
      </Text>
    );
  }
  return (
    <ScopedButton
      scope="webhooks:write"
      variant="default"
      mb="md"
      onClick={() => {
        open('recover', RECOVER_ALL);
      }}
    >
      {`Resend all ${formatCount(total)}`}
    </ScopedButton>
  );
}
