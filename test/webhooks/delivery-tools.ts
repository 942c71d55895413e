import type { DataSource } from 'typeorm';
import type { DeliveryStatus } from '../../src/features/webhooks/entities/webhook-delivery.entity.js';
import { eventRow, insertEvents } from '../../src/features/events/outbox.js';
import { decodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

/** Registers a receiver for all document events. Returns the webhook's UUID. */
export async function register(
  api: ApiClient,
  url: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const response = await api.registerWebhook({ url, events: ['document.*'], ...fields });
  const { id } = expectSuccess(response, 201) as { id: string };
  return decodeId('webhook', id) ?? '';
}

/** Commits events of a document with versions starting at `first` and wakes the workers, as changes to it would. */
export async function emit(
  dataSource: DataSource,
  accountId: string,
  { subjectId = newUuid(), first = 1, count = 1, padding = 0 } = {},
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => {
    const data = JSON.stringify({
      document: { id: subjectId, version: first + index, padding: 'x'.repeat(padding) },
    });
    return eventRow({
      type: 'document.updated',
      accountId,
      subjectId,
      at: new Date(),
      actor: null,
      requestId: null,
      fullData: data,
      thinData: data,
    });
  });
  await dataSource.query(insertEvents('$1'), [JSON.stringify(events)]);
  await dataSource.query('SELECT announce_due($1)', [[accountId]]);
}

/** Makes everything that is waiting due now, and wakes the workers. */
export async function passWaits(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() WHERE status = 'pending'`,
  );
  await dataSource.query(
    'UPDATE webhooks SET circuit_probe_at = clock_timestamp() WHERE circuit_probe_at IS NOT NULL',
  );
  await dataSource.query(`NOTIFY webhook_deliveries, ''`);
}

export interface StoredDelivery {
  id: string;
  status: DeliveryStatus;
  attempts: number;
  last_error_class: string | null;
  /** Milliseconds from now. */
  wait: number;
}

/** Returns the deliveries of a webhook, in the order in which they are planned. */
export function deliveriesOf(dataSource: DataSource, webhookId: string): Promise<StoredDelivery[]> {
  return dataSource.query(
    `SELECT *, (extract(epoch FROM next_attempt_at - clock_timestamp()) * 1000)::float8 AS wait
       FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY sequence`,
    [webhookId],
  );
}

/** Waits until the deliveries of a webhook have these states, in order. */
export function untilStatus(
  dataSource: DataSource,
  webhookId: string,
  ...statuses: DeliveryStatus[]
): Promise<StoredDelivery[]> {
  return eventually(
    () => deliveriesOf(dataSource, webhookId),
    (rows) => JSON.stringify(rows.map(({ status }) => status)) === JSON.stringify(statuses),
  );
}
