import { AppError } from '../errors/app-error.js';
import type { Listing } from '../pagination/read-page.js';
import type { WebhookEntity } from './entities/webhook.entity.js';

/** A webhook as its account sees it, without its secret. Ids are UUIDs. */
export type Webhook = Pick<
  WebhookEntity,
  | 'id'
  | 'url'
  | 'events'
  | 'payload'
  | 'status'
  | 'description'
  | 'secretPreview'
  | 'disabledReason'
  | 'disabledAt'
  | 'failingSince'
  | 'circuitProbeAt'
  | 'lastDeliveryAt'
  | 'createdAt'
  | 'updatedAt'
>;

export const WEBHOOK_SORTS = ['created_at', 'updated_at'] as const;
export type WebhookSort = (typeof WEBHOOK_SORTS)[number];

/** Rows are of type {@link Webhook}. */
export const WEBHOOK_LISTING: Listing<WebhookSort> = {
  name: 'webhooks',
  table: 'webhooks',
  where: 'item.account_id = $1',
  // Counted, unlike documents: an account has at most 100 of them.
  total: 'SELECT count(*) AS n FROM webhooks WHERE account_id = $1',
  columns: `item.id, item.url, item.events, item.payload, item.status, item.description,
    item.secret_preview AS "secretPreview", item.disabled_reason AS "disabledReason",
    item.disabled_at AS "disabledAt", item.failing_since AS "failingSince", item.circuit_probe_at AS "circuitProbeAt",
    item.last_delivery_at AS "lastDeliveryAt", item.created_at AS "createdAt", item.updated_at AS "updatedAt"`,
  sorts: {
    created_at: { column: 'created_at', type: 'timestamptz' },
    updated_at: { column: 'updated_at', type: 'timestamptz' },
  },
};

/** The answer to sending something to a webhook that is disabled. */
export function webhookIsDisabled(): AppError {
  return new AppError(
    'conflict',
    'This webhook is disabled, and nothing is sent to it. Enable it first: change its status to active.',
    { field: 'status', issue: 'is disabled' },
  );
}
