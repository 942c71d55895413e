import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { Database, type Statement } from '../../platform/database/database.js';
import {
  filterConditions,
  type FilterConditions,
} from '../../platform/http/pagination/filter-conditions.js';
import {
  readPage,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import { WebhookEntity } from './entities/webhook.entity.js';

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

/** Filters of a list of webhooks. A webhook must match all filters, and at least one value of each. */
export interface WebhookListFilter {
  status?: readonly Webhook['status'][] | undefined;
  /** Parts of the URL, case-insensitive. */
  url?: readonly string[] | undefined;
}

const COLUMNS = `item.id, item.url, item.events, item.payload, item.status, item.description,
    item.secret_preview AS "secretPreview", item.headers_masked AS "headersMasked", item.filter, item.disabled_reason AS "disabledReason",
    item.disabled_at AS "disabledAt", item.failing_since AS "failingSince", item.circuit_probe_at AS "circuitProbeAt",
    item.last_delivery_at AS "lastDeliveryAt", item.created_at AS "createdAt", item.updated_at AS "updatedAt"`;

/** An account has at most 100 webhooks, so this needs no index. */
const CONDITIONS: FilterConditions<WebhookListFilter> = {
  status: (value) => `item.status = ANY (${value}::text[])`,
  url: (value) => `EXISTS (SELECT FROM unnest(${value}::text[]) AS wanted (part)
      WHERE strpos(lower(item.url), lower(part)) > 0)`,
};

function webhookListing(filter: WebhookListFilter): Listing<WebhookSort> {
  const { name, conditions, values } = filterConditions(CONDITIONS, filter, 2);
  const where = ['item.account_id = $1', ...conditions].join(' AND ');
  return {
    name: `webhooks-${name}`,
    table: 'webhooks',
    where,
    values,
    total: `SELECT count(*) AS n FROM webhooks AS item WHERE ${where}`,
    columns: COLUMNS,
    sorts: {
      created_at: { column: 'created_at', type: 'timestamptz' },
      updated_at: { column: 'updated_at', type: 'timestamptz' },
    },
  };
}

/** Skips deliveries that a worker has leased, because they may still succeed. */
const CANCEL: Statement = {
  name: 'webhooks.cancel-pending',
  text: `UPDATE webhook_deliveries SET status = 'cancelled', completed_at = clock_timestamp()
          WHERE id IN (
            SELECT id FROM webhook_deliveries
             WHERE webhook_id = $1 AND status = 'pending'
               AND (lease_expires_at IS NULL OR lease_expires_at <= clock_timestamp())
               AND NOT EXISTS (SELECT FROM webhooks WHERE webhooks.id = $1 AND webhooks.status = 'active')
             ORDER BY next_attempt_at, sequence LIMIT $2
               FOR UPDATE SKIP LOCKED)
          RETURNING id`,
};

/** Stores webhooks, and cancels their pending deliveries. Ids are UUIDs. */
@Injectable()
export class WebhooksRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookEntity) private readonly webhooks: Repository<WebhookEntity>,
  ) {}

  /** Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    filter: WebhookListFilter,
    request: PageRequest<WebhookSort>,
  ): Promise<Page<Webhook>> {
    return readPage(this.database, webhookListing(filter), accountId, request);
  }

  /** Returns all webhooks of one account or of all, oldest first. Only for the operator's command line. */
  listForOperator(accountId?: string): Promise<WebhookEntity[]> {
    return this.webhooks.find({
      where: accountId === undefined ? {} : { accountId },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  findBy(where: FindOptionsWhere<WebhookEntity>): Promise<WebhookEntity[]> {
    return this.webhooks.findBy(where);
  }

  /** Returns the webhook and locks it until the caller's transaction ends. */
  lock(where: FindOptionsWhere<WebhookEntity>): Promise<WebhookEntity | null> {
    return this.webhooks.findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  async insert(webhook: Omit<Webhook, 'status'> & Partial<WebhookEntity>): Promise<void> {
    await this.webhooks.insert(webhook);
  }

  async update(id: string, columns: Partial<WebhookEntity>): Promise<void> {
    await this.webhooks.update({ id }, columns);
  }

  /** Returns false if there is no such webhook. */
  async delete(key: Pick<WebhookEntity, 'id' | 'accountId'>): Promise<boolean> {
    return (await this.webhooks.delete(key)).affected === 1;
  }

  /**
   * Cancels up to `limit` pending deliveries of a webhook that was disabled or deleted, and none of an active one.
   * Returns how many were cancelled. `POST …/recover` can still send them.
   */
  async cancelPending(webhookId: string, limit: number): Promise<number> {
    return (await this.database.run(CANCEL, [webhookId, limit])).length;
  }
}
