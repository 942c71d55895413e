import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit-entry.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import { notFound, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { repetitionWarnings, withoutRepetitions } from '../events/catalogue.js';
import { emitEvents } from '../events/outbox.js';
import { newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import { SecretBox, SecretUnreadableError } from '../../platform/secrets/secret-box.js';
import { Quotas } from '../usage/quotas.js';
import type { PatchWebhookDto } from './dto/patch-webhook.dto.js';
import type { RegisterWebhookDto } from './dto/register-webhook.dto.js';
import { WebhookEntity } from './entities/webhook.entity.js';
import { ReceiverUrls } from './local-receivers.js';
import { cancelPending, wakeWorkers } from './pending-deliveries.js';
import { planChange, type HeadersChange, type WebhookChange } from './webhook-change.js';
import { originOf, webhookEvent } from './webhook-events.js';
import { mergeFilter } from './webhook-filter.js';
import {
  headersWouldMove,
  maskHeaders,
  mergeHeaders,
  openHeaders,
  replacesAll,
  sealHeaders,
  type CustomHeaders,
} from './webhook-headers.js';
import { generateSecret, previewOf, secretWarnings } from './webhook-secret.js';
import {
  webhookListing,
  type Webhook,
  type WebhookListFilter,
  type WebhookSort,
  type Registration,
} from './webhook.js';

/** Deliveries that are cancelled while a client waits; the workers cancel the rest. */
const CANCELLED_AT_ONCE = 10_000;

/** What the columns of a receiver's health are when nothing is known of it. */
const UNKNOWN_HEALTH = {
  failingSince: null,
  consecutiveFailures: 0,
  circuitOpenedAt: null,
  circuitProbeAt: null,
};

/** The webhooks of an account. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly quotas: Quotas,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly urls: ReceiverUrls,
  ) {}

  /**
   * Registers a receiver; events that commit from then on are delivered to it. Throws `forbidden` when the plan allows no
   * more webhooks.
   */
  async register(body: RegisterWebhookDto, context: RequestContext): Promise<Registration> {
    const { accountId, plan } = context.principal;
    await this.urls.requireOpen(accountId, body.url);
    const generatedSecret = body.secret === undefined ? generateSecret() : undefined;
    const secret = body.secret ?? generatedSecret ?? '';
    const id = newUuid();
    const now = this.clock.now();
    const webhook = {
      id,
      accountId,
      url: body.url,
      events: withoutRepetitions(body.events),
      payload: body.payload,
      status: 'active',
      description: body.description ?? null,
      secretEncrypted: this.secretBox.seal(secret, id),
      secretPreview: previewOf(secret),
      headersEncrypted: sealHeaders(this.secretBox, body.headers ?? {}, id),
      headersMasked: maskHeaders(body.headers ?? {}),
      filter: mergeFilter(null, body.filter ?? null),
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      circuitProbeAt: null,
      lastDeliveryAt: null,
      createdAt: now,
      updatedAt: now,
    } as const;
    const owner = { accountId, plan, caller: context.caller };
    await this.quotas.whereRoom(owner, 'webhooks', async () => {
      await this.database.repository(WebhookEntity).insert(webhook);
      await insertAuditEntry(this.database, {
        action: 'webhook.create',
        resourceId: id,
        at: now,
        context,
      });
    });
    const warnings = [...secretWarnings(secret), ...repetitionWarnings(body.events)];
    return { webhook, generatedSecret, warnings };
  }

  /** One webhook of the account. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<Webhook> {
    const key = { id: uuidOf('webhook', id), accountId };
    const webhook = await this.database.repository(WebhookEntity).findOneBy(key);
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  /**
   * The same with its secret, for a change: nobody else changes it until the caller's transaction ends. Throws
   * `not_found`, also for an id that is none.
   */
  async lock(accountId: string, id: string): Promise<WebhookEntity> {
    const webhook = await this.database.repository(WebhookEntity).findOne({
      where: { id: uuidOf('webhook', id), accountId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  /** One page of the account's webhooks under all of the filters, disabled ones too. Throws `bad_request` for a cursor of another list. */
  async list(
    accountId: string,
    request: WebhookListFilter & PageRequest<WebhookSort>,
  ): Promise<Page<Webhook>> {
    const { status, url } = request;
    return readPage(this.database, webhookListing({ status, url }), accountId, request);
  }

  /**
   * Changes what the patch says, or nothing when everything is so already. Disabling cancels pending deliveries and emits
   * `webhook.disabled`. Throws `not_found`, also for an id that is none.
   */
  async change(id: string, patch: PatchWebhookDto, context: RequestContext): Promise<Webhook> {
    const { accountId } = context.principal;
    if (patch.url !== undefined) await this.urls.requireOpen(accountId, patch.url);
    return this.database.transaction(async () => {
      const before = await this.lock(accountId, id);
      const change = planChange(before, patch, this.headersChange(before, patch), this.clock.now());
      if (!change) return before;
      await this.write(change, context);
      return change.after;
    }, context.caller);
  }

  /** Removes a webhook and cancels its pending deliveries, or neither. Throws `not_found`, also for an id that is none. */
  async delete(id: string, context: RequestContext): Promise<void> {
    const key = { id: uuidOf('webhook', id), accountId: context.principal.accountId };
    await this.database.transaction(async () => {
      const { affected } = await this.database.repository(WebhookEntity).delete(key);
      if (affected !== 1) throw notFound('webhook');
      await cancelPending(this.database, key.id, CANCELLED_AT_ONCE);
      const at = this.clock.now();
      await insertAuditEntry(this.database, {
        action: 'webhook.delete',
        resourceId: key.id,
        at,
        context,
      });
    }, context.caller);
  }

  /**
   * What a patch makes of the headers; `undefined` when they stay. Throws `bad_request` when they would be sent to another
   * origin by somebody who has not shown to know them.
   */
  private headersChange(
    { id, url, headersEncrypted }: WebhookEntity,
    patch: PatchWebhookDto,
  ): HeadersChange | undefined {
    const present = this.presentHeaders(headersEncrypted, id);
    const moves = patch.url !== undefined && new URL(patch.url).origin !== new URL(url).origin;
    if (moves && !replacesAll(present, patch.headers)) throw headersWouldMove();
    if (patch.headers === undefined) return undefined;
    const headers = mergeHeaders(present, patch.headers);
    if (isDeepStrictEqual(headers, present) && !moves) return undefined;
    return {
      headersEncrypted: sealHeaders(this.secretBox, headers, id),
      headersMasked: maskHeaders(headers),
    };
  }

  /** None where they cannot be read: what is not known cannot be kept. */
  private presentHeaders(record: Buffer | null, id: string): CustomHeaders {
    try {
      return openHeaders(this.secretBox, record, id);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return {};
      throw error;
    }
  }

  private async write(
    { after, changes, disables, resetsHealth }: WebhookChange,
    context: RequestContext,
  ): Promise<void> {
    const { id, url, events, description, payload, status, updatedAt } = after;
    const { disabledReason, disabledAt, filter, headersEncrypted, headersMasked } = after;
    const columns = {
      ...{ url, events, description, payload, status, updatedAt },
      ...{ filter, headersEncrypted, headersMasked },
      ...{ disabledReason, disabledAt },
    };
    await this.database
      .repository(WebhookEntity)
      .update({ id }, resetsHealth ? { ...columns, ...UNKNOWN_HEALTH } : columns);
    if (disables) {
      await emitEvents(this.database, [
        webhookEvent('webhook.disabled', after, updatedAt, originOf(context)),
      ]);
      await cancelPending(this.database, id, CANCELLED_AT_ONCE);
    }
    // What waited for the circuit is due now.
    if (resetsHealth) await wakeWorkers(this.database, id);
    await insertAuditEntry(this.database, {
      action: 'webhook.update',
      resourceId: id,
      at: updatedAt,
      context,
      details: { changes },
    });
  }
}
