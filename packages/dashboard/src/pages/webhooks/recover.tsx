import { Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { useAllowance } from '../../components/use-allowance.js';
import { showDone } from '../../components/messages.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { useWebhookRefresh, type Webhook } from './webhook-queries.js';

const DAY_MS = 86_400_000;
/** Longer than the time before the webhook of a failing receiver is disabled. */
const DAYS_BACK = 7;

/** Value in the URL that selects all deliveries. */
export const RECOVER_ALL = 'all';

interface RecoverProps {
  webhook: Webhook;
  onClose: CloseDialog;
  /** Initial value of the field. Default: a week ago. */
  from?: Date;
}

/** Resends all deliveries that failed or were cancelled since a time, across all pages. */
export function Recover({ webhook, onClose, from }: RecoverProps) {
  const { api } = useAccount();
  const allowance = useAllowance('webhooks:write');
  const refresh = useWebhookRefresh();
  const [since, setSince] = useState(() =>
    localTime(from ?? new Date(Date.now() - DAYS_BACK * DAY_MS)),
  );
  const [done, setDone] = useState(0);
  const at = timeIn(since);
  const count = useMissed(webhook.id, at);
  const recover = useMutation({
    mutationFn: async () => {
      let recovered = 0;
      let hasMore = at !== undefined;
      // Maximum number of deliveries per request.
      while (hasMore && at !== undefined) {
        const params = { path: { id: webhook.id } };
        const batch = await dataOf(
          api.POST('/v1/webhooks/{id}/recover', { params, body: { since: at } }),
        );
        recovered += batch.recovered;
        hasMore = batch.hasMore && batch.recovered > 0;
        setDone(recovered);
      }
      return recovered;
    },
    onSuccess: async (recovered) => {
      showDone(
        recovered === 0
          ? 'No missed deliveries.'
          : `${countOf(recovered, 'delivery', 'deliveries')} queued for resending.`,
      );
      await onClose();
      await refresh(webhook.id);
    },
  });
  return (
    <FormDialog
      whyNot={allowance.title}
      title="Recover deliveries"
      submit="Recover deliveries"
      submission={recover}
      disabled={at === undefined || (count.data && totalOf(count.data)) === 0}
      onClose={onClose}
      onSubmit={() => {
        recover.mutate();
      }}
    >
      <Text size="sm">
        Resends all failed and cancelled deliveries. Delivered and pending events are not sent
        again.
      </Text>
      <TextInput
        type="datetime-local"
        label="Since"
        description="Events since this time, in your time zone."
        value={since}
        error={at === undefined ? 'Enter a date and time.' : undefined}
        onChange={({ currentTarget }) => {
          setSince(currentTarget.value);
        }}
      />
      {count.error ? (
        <FailureAlert error={count.error} onRetry={() => void count.refetch()} />
      ) : (
        <Text size="sm" role="status">
          {recover.isPending && done > 0 ? `${formatCount(done)} so far…` : sentenceOf(count.data)}
        </Text>
      )}
    </FormDialog>
  );
}

/** Returns the number of deliveries to resend. */
function useMissed(webhookId: string, since: string | undefined) {
  const { id: accountId, api } = useAccount();
  const countOfStatus = async (status: 'failed' | 'cancelled') => {
    const query = { webhookId, status, limit: 1, ...(since !== undefined && { since }) };
    const { meta } = await bodyOf(api.GET('/v1/deliveries', { params: { query } }));
    return meta.pagination.total;
  };
  return useQuery({
    queryKey: [accountId, 'webhooks', webhookId, 'missed', since],
    queryFn: async () => {
      const [failed, cancelled] = await Promise.all([
        countOfStatus('failed'),
        countOfStatus('cancelled'),
      ]);
      return { failed, cancelled };
    },
    enabled: since !== undefined,
  });
}

interface Missed {
  failed: number;
  cancelled: number;
}

function totalOf({ failed, cancelled }: Missed): number {
  return failed + cancelled;
}

function sentenceOf(missed: Missed | undefined): string {
  if (!missed) return 'Counting…';
  const total = totalOf(missed);
  if (total === 0) return 'No failed or cancelled deliveries since then.';
  const parts = `${formatCount(missed.failed)} failed, ${formatCount(missed.cancelled)} cancelled`;
  return `${countOf(total, 'delivery', 'deliveries')} to resend: ${parts}.`;
}

/** Returns the value of a browser's date and time field, in local time. */
function localTime(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

function timeIn(text: string): string | undefined {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
