import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/request-context.js';
import { insertAuditEntry } from '../audit/audit.repository.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { AppError, notFound, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../platform/database/database.js';
import type { Page, PageRequest } from '../../platform/http/pagination/read-page.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { repetitionWarnings, withoutRepetitions } from '../events/catalogue/catalogue.js';
import { announceDeliveries, emitEvents } from '../events/events.repository.js';
import { QuotasService } from '../usage/quotas/quotas.service.js';
import type { PatchWebhookDto, RegisterWebhookDto } from './dto/write-webhook.dto.js';
import { WebhookEntity } from './entities/webhook.entity.js';
import { ReceiverUrlsService } from './settings/local-receivers.js';
import { planChange, type WebhookChange, type WebhookHeaders } from './settings/webhook-change.js';
import { mergeFilter } from './settings/webhook-filter.js';
import {
  headersWouldMove,
  maskHeaders,
  mergeHeaders,
  openHeaders,
  replacesAll,
  sealHeaders,
  type CustomHeaders,
} from './settings/webhook-headers.js';
import { subscriptionWarnings } from './settings/webhook-warnings.js';
import { generateSecret, ifReadable, previewOf, secretWarnings } from './signing/webhook-secret.js';
import { sourceOf, webhookEvent, type Registration } from './webhook.presenter.js';
import {
  WebhooksRepository,
  type Webhook,
  type WebhookListFilter,
  type WebhookSort,
} from './webhooks.repository.js';

/** Maximum deliveries that a request cancels. The workers cancel the rest. */
const CANCEL_BATCH = 10_000;

/** Fields that decide what a receiver gets. */
const SUBSCRIPTION_FIELDS: ReadonlySet<string> = new Set(['url', 'events', 'filter', 'status']);

/** The health of a receiver before its first delivery. */
const UNKNOWN_HEALTH = {
  failingSince: null,
  consecutiveFailures: 0,
  circuitOpenedAt: null,
  circuitProbeAt: null,
};

/** Registers, changes and deletes the webhooks of an account. Methods that take an id throw `not_found` for unknown ids. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksRepository,
    private readonly quotas: QuotasService,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly urls: ReceiverUrlsService,
  ) {}

  /**
   * Registers a webhook. Events that commit from then on are delivered to it. Throws `forbidden` if the plan's quota is
   * used up.
   */
  async register(body: RegisterWebhookDto, context: RequestContext): Promise<Registration> {
    const { accountId, plan } = context.principal;
    await this.urls.requireAllowed(accountId, body.url);
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
      ...this.storedHeaders(body.headers ?? {}, id),
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
    const warnings = [...secretWarnings(secret), ...repetitionWarnings(body.events)];
    await this.quotas.withinQuota(owner, 'webhooks', async () => {
      await this.webhooks.insert(webhook);
      warnings.push(...(await this.warningsOf(accountId, webhook)));
      await insertAuditEntry(this.database, {
        action: 'webhook.create',
        resourceId: id,
        at: now,
        context,
      });
    });
    return { webhook, generatedSecret, warnings };
  }

  async find(accountId: string, id: string): Promise<Webhook> {
    const [webhook] = await this.webhooks.findBy({ id: uuidOf('webhook', id), accountId });
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  /** Returns the webhook with its secret, and locks it until the caller's transaction ends. */
  async lock(accountId: string, id: string): Promise<WebhookEntity> {
    const webhook = await this.webhooks.lock({ id: uuidOf('webhook', id), accountId });
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  /** Lists webhooks, including disabled ones. Throws `bad_request` for a cursor of another list. */
  async list(
    accountId: string,
    request: WebhookListFilter & PageRequest<WebhookSort>,
  ): Promise<Page<Webhook>> {
    const { status, url } = request;
    return this.webhooks.list(accountId, { status, url }, request);
  }

  /** Applies a patch, if it changes anything. Disabling cancels pending deliveries and emits `webhook.disabled`. */
  async change(
    id: string,
    patch: PatchWebhookDto,
    context: RequestContext,
  ): Promise<{ webhook: Webhook; warnings: FieldProblem[] }> {
    const { accountId } = context.principal;
    if (patch.url !== undefined) await this.urls.requireAllowed(accountId, patch.url);
    return this.database.transaction(async () => {
      const before = await this.lock(accountId, id);
      const headers = this.changedHeaders(before, patch);
      const change = planChange(before, patch, headers, this.clock.now());
      const warnings = repetitionWarnings(patch.events ?? []);
      if (!change) return { webhook: before, warnings };
      await this.write(change, context);
      if (change.changes.some((field) => SUBSCRIPTION_FIELDS.has(field)))
        warnings.push(...(await this.warningsOf(accountId, change.after)));
      return { webhook: change.after, warnings };
    }, context.caller);
  }

  private async warningsOf(accountId: string, webhook: Webhook): Promise<FieldProblem[]> {
    return subscriptionWarnings(webhook, await this.webhooks.findBy({ accountId }));
  }

  /** Deletes a webhook and cancels its pending deliveries. */
  async delete(id: string, context: RequestContext): Promise<void> {
    const key = { id: uuidOf('webhook', id), accountId: context.principal.accountId };
    await this.database.transaction(async () => {
      if (!(await this.webhooks.delete(key))) throw notFound('webhook');
      await this.webhooks.cancelPending(key.id, CANCEL_BATCH);
      await insertAuditEntry(this.database, {
        action: 'webhook.delete',
        resourceId: key.id,
        at: this.clock.now(),
        context,
      });
    }, context.caller);
  }

  /**
   * Returns the headers after a patch, or `undefined` if they do not change. Throws `bad_request` if they would be sent
   * to a new origin by a client that has not shown that it knows them.
   */
  private changedHeaders(
    { id, url, headersEncrypted }: WebhookEntity,
    patch: PatchWebhookDto,
  ): WebhookHeaders | undefined {
    // Headers that cannot be decrypted are dropped.
    const current = ifReadable(() => openHeaders(this.secretBox, headersEncrypted, id)) ?? {};
    const moves = patch.url !== undefined && new URL(patch.url).origin !== new URL(url).origin;
    if (moves && !replacesAll(current, patch.headers)) throw headersWouldMove();
    if (patch.headers === undefined) return undefined;
    const headers = mergeHeaders(current, patch.headers);
    if (isDeepStrictEqual(headers, current) && !moves) return undefined;
    return this.storedHeaders(headers, id);
  }

  private storedHeaders(headers: CustomHeaders, webhookId: string): WebhookHeaders {
    return {
      headersEncrypted: sealHeaders(this.secretBox, headers, webhookId),
      headersMasked: maskHeaders(headers),
    };
  }

  private async write(
    { after, changes, disables, resetsHealth }: WebhookChange,
    context: RequestContext,
  ): Promise<void> {
    const { id, url, events, description, payload, status, updatedAt } = after;
    const { disabledReason, disabledAt, filter, headersEncrypted, headersMasked } = after;
    await this.webhooks.update(id, {
      ...{ url, events, description, payload, status, updatedAt },
      ...{ filter, headersEncrypted, headersMasked },
      ...{ disabledReason, disabledAt },
      ...(resetsHealth && UNKNOWN_HEALTH),
    });
    if (disables) {
      await emitEvents(this.database, [
        webhookEvent('webhook.disabled', after, updatedAt, sourceOf(context)),
      ]);
      await this.webhooks.cancelPending(id, CANCEL_BATCH);
    }
    // Deliveries that waited for the circuit breaker are due now.
    if (resetsHealth) announceDeliveries(this.database, context.principal.accountId);
    await insertAuditEntry(this.database, {
      action: 'webhook.update',
      resourceId: id,
      at: updatedAt,
      context,
      details: { changes },
    });
  }
}

/** The error for sending something to a disabled webhook. */
export function webhookIsDisabled(): AppError {
  return new AppError(
    'conflict',
    'This webhook is disabled, and nothing is sent to it. Enable it first: change its status to active.',
    { field: 'status', issue: 'is disabled' },
  );
}
