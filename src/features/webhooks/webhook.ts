import { AppError, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import type { Listing } from '../../platform/http/pagination/read-page.js';
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
  | 'headersMasked'
  | 'filter'
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

/** What a list of webhooks may be narrowed to; all that is given must match, of each any. */
export interface WebhookListFilter {
  status?: readonly Webhook['status'][] | undefined;
  /** Texts that stand in the URL, in any case. */
  url?: readonly string[] | undefined;
}

const COLUMNS = `item.id, item.url, item.events, item.payload, item.status, item.description,
    item.secret_preview AS "secretPreview", item.headers_masked AS "headersMasked", item.filter, item.disabled_reason AS "disabledReason",
    item.disabled_at AS "disabledAt", item.failing_since AS "failingSince", item.circuit_probe_at AS "circuitProbeAt",
    item.last_delivery_at AS "lastDeliveryAt", item.created_at AS "createdAt", item.updated_at AS "updatedAt"`;

/** Each with the placeholder of its value. No index but that of the account: an account has at most 100 of them. */
const CONDITIONS: Readonly<Record<keyof WebhookListFilter, (value: string) => string>> = {
  status: (value) => `item.status = ANY (${value}::text[])`,
  url: (value) => `EXISTS (SELECT FROM unnest(${value}::text[]) AS wanted (part)
      WHERE strpos(lower(item.url), lower(part)) > 0)`,
};
const NAMES = Object.keys(CONDITIONS) as (keyof WebhookListFilter)[];

/** The webhooks of an account under these filters. Rows are of type {@link Webhook}. */
export function webhookListing(filter: WebhookListFilter): Listing<WebhookSort> {
  const given = NAMES.filter((name) => filter[name] !== undefined);
  const conditions = given.map((name, index) => CONDITIONS[name](`$${String(index + 2)}`));
  const where = ['item.account_id = $1', ...conditions].join(' AND ');
  return {
    name: ['webhooks', ...given].join('-'),
    table: 'webhooks',
    where,
    values: given.map((name) => filter[name]),
    total: `SELECT count(*) AS n FROM webhooks AS item WHERE ${where}`,
    columns: COLUMNS,
    sorts: {
      created_at: { column: 'created_at', type: 'timestamptz' },
      updated_at: { column: 'updated_at', type: 'timestamptz' },
    },
  };
}

/** The answer to sending something to a webhook that is disabled. */
export function webhookIsDisabled(): AppError {
  return new AppError(
    'conflict',
    'This webhook is disabled, and nothing is sent to it. Enable it first: change its status to active.',
    { field: 'status', issue: 'is disabled' },
  );
}

export interface Registration {
  webhook: Webhook;
  /** Only when the client sent no secret of its own. */
  generatedSecret: string | undefined;
  warnings: FieldProblem[];
}

/** A webhook whose secret was replaced. */
export interface Rotation {
  webhook: Webhook;
  /** Only when the client sent no secret of its own. */
  generatedSecret: string | undefined;
  /** Until when the secret before signs too; `null` when none does. */
  previousSecretExpiresAt: Date | null;
  warnings: FieldProblem[];
}
