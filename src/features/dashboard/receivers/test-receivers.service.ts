import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { redactSecrets } from '../../../platform/basics/redact-secrets.js';
import { storableText } from '../../../platform/basics/text.js';
import { AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { isToken, issueToken } from '../../people/sessions/secret-token.js';
import { LocalReceivers, type LocalDelivery } from '../../webhooks/settings/local-receivers.js';
import { signatureProblem } from '../../webhooks/signing/signature.js';
import { WebhookSecretsService } from '../../webhooks/signing/webhook-secrets.service.js';
import { TestReceiverEntity, type Signature } from './entities/test-receiver.entity.js';
import { MAX_PER_SECOND, ReceivedDeliveriesRepository } from './received-deliveries.repository.js';

const LIFETIME_MS = 24 * HOUR_MS;
const RETENTION_BATCH = 100;
/** Maximum number of active receivers per account. */
const MAX_RECEIVERS = 5;

/** Maximum number of stored headers per delivery, and of characters per header. Credentials are never stored. */
const MAX_HEADERS = 50;
const MAX_HEADER_LENGTH = 1_000;
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const SIGNATURE = 'webhook-signature';
const MAX_EVENT_TYPE = 100;

/**
 * Receivers for testing webhooks without another server. Each one works for a day, and records the deliveries sent to it
 * and whether their signatures are valid.
 */
@Injectable()
export class TestReceiversService extends LocalReceivers {
  constructor(
    private readonly database: Database,
    @InjectRepository(TestReceiverEntity)
    private readonly receivers: Repository<TestReceiverEntity>,
    private readonly stored: ReceivedDeliveriesRepository,
    private readonly accounts: AccountsRepository,
    private readonly secrets: WebhookSecretsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Creates a receiver below `origin`. Throws `conflict` at the account's limit, and `not_found` if receivers are off. */
  async create(accountId: string, origin: string): Promise<TestReceiverEntity> {
    this.requireOn();
    const now = this.clock.now();
    const { token } = issueToken();
    const receiver = {
      id: newUuid(),
      accountId,
      token,
      url: `${origin}/dashboard/receivers/${token}`,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    };
    return this.database.transaction(async () => {
      await this.accounts.lock(accountId);
      const others = await this.receivers.countBy({ accountId, expiresAt: MoreThan(now) });
      if (others >= MAX_RECEIVERS) throw enoughReceivers();
      await this.receivers.insert(receiver);
      return { ...receiver } as TestReceiverEntity;
    });
  }

  /** Lists the account's active receivers, newest first. */
  async list(accountId: string): Promise<TestReceiverEntity[]> {
    this.requireOn();
    const expiresAt = MoreThan(this.clock.now());
    return this.receivers.find({ where: { accountId, expiresAt }, order: { createdAt: 'DESC' } });
  }

  /**
   * Returns the deliveries of a receiver as JSON text, newest first, with the beginning of each body. Throws `not_found`.
   */
  async deliveries(accountId: string, id: string): Promise<string> {
    return this.stored.list(await this.activeId(accountId, id));
  }

  /** Returns a delivery with its whole body as JSON text. Throws `not_found`. */
  async delivery(accountId: string, id: string, deliveryId: string): Promise<string> {
    const receiverId = await this.activeId(accountId, id);
    const found = isUUID(deliveryId) ? await this.stored.find(receiverId, deliveryId) : undefined;
    if (found === undefined) throw notFound('delivery');
    return found;
  }

  /** Deletes a receiver and its deliveries. Throws `not_found`. */
  async delete(accountId: string, id: string): Promise<void> {
    const { affected } = await this.receivers.delete({ id: uuidOf('receiver', id), accountId });
    if (affected !== 1) throw notFound('receiver');
  }

  /** Stores a delivery to the receiver with this token. Throws `not_found`, or `rate_limited` if they come too fast. */
  async receive(token: string, delivery: LocalDelivery): Promise<void> {
    if (!this.config.testReceivers || !isToken(token)) throw notFound('receiver');
    const expiresAt = MoreThan(this.clock.now());
    const receiver = await this.receivers.findOneBy({ token, expiresAt });
    if (!receiver) throw notFound('receiver');
    if (!(await this.store(receiver, delivery))) throw tooFast();
  }

  override async has(accountId: string, url: string): Promise<boolean> {
    return (await this.at(accountId, url)) !== undefined;
  }

  override async deliver(
    accountId: string,
    url: string,
    delivery: LocalDelivery,
  ): Promise<number | undefined> {
    const receiver = await this.at(accountId, url);
    return receiver && ((await this.store(receiver, delivery)) ? 200 : 429);
  }

  /** Deletes up to `most` expired receivers. Returns their number. */
  async removeExpired(most: number): Promise<number> {
    const expired = await this.receivers.find({
      select: { id: true },
      where: { expiresAt: LessThanOrEqual(this.clock.now()) },
      order: { expiresAt: 'ASC' },
      take: most,
    });
    if (expired.length > 0) await this.receivers.delete(expired.map(({ id }) => id));
    return expired.length;
  }

  /** Returns the UUID of an active receiver of the account. Throws `not_found`. */
  private async activeId(accountId: string, id: string): Promise<string> {
    const receiverId = uuidOf('receiver', id);
    const expiresAt = MoreThan(this.clock.now());
    const exists = await this.receivers.existsBy({ id: receiverId, accountId, expiresAt });
    if (!exists) throw notFound('receiver');
    return receiverId;
  }

  private async at(accountId: string, url: string): Promise<TestReceiverEntity | undefined> {
    if (!this.config.testReceivers) return undefined;
    const token = url.slice(url.lastIndexOf('/') + 1);
    const where = { token, url, accountId, expiresAt: MoreThan(this.clock.now()) };
    return (await this.receivers.findOneBy(where)) ?? undefined;
  }

  /** Stores a delivery. Returns false if too many came in the last second. */
  private async store(
    { id, accountId, url }: TestReceiverEntity,
    delivery: LocalDelivery,
  ): Promise<boolean> {
    const now = this.clock.now();
    const body = storableText(delivery.body.toString('utf8'));
    const signature = await this.signatureOf(accountId, url, delivery, now);
    return this.database.transaction(async () => {
      await this.receivers.findOne({
        select: { id: true },
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      const headers = JSON.stringify(storedHeaders(delivery.headers));
      return this.stored.insert([newUuid(), id, now, eventTypeOf(body), headers, body, signature]);
    });
  }

  private async signatureOf(
    accountId: string,
    url: string,
    delivery: LocalDelivery,
    now: Date,
  ): Promise<Signature> {
    const secrets = await this.secrets.findByUrl(accountId, url);
    if (secrets.length === 0) return 'unknown';
    return signatureProblem(delivery, secrets, now) === undefined ? 'valid' : 'invalid';
  }

  private requireOn(): void {
    if (!this.config.testReceivers) throw receiversAreOff();
  }
}

@RunsInBackground({ name: 'The removal of expired test receivers', everyMs: HOUR_MS })
@Injectable()
export class ReceiverRetention implements BackgroundTask {
  constructor(private readonly receivers: TestReceiversService) {}

  async runBatch(): Promise<boolean> {
    return (await this.receivers.removeExpired(RETENTION_BATCH)) === RETENTION_BATCH;
  }
}

export function receiversAreOff(): AppError {
  return new AppError(
    'not_found',
    'This service has no test receivers. The operator can turn them on with TEST_RECEIVERS=true.',
    { code: 'off' },
  );
}

export function enoughReceivers(): AppError {
  return new AppError(
    'conflict',
    `The account already has ${String(MAX_RECEIVERS)} test receivers, which is the maximum. Delete one.`,
    { limit: MAX_RECEIVERS },
  );
}

function tooFast(): AppError {
  return new AppError(
    'rate_limited',
    `A test receiver accepts ${String(MAX_PER_SECOND)} deliveries per second. Try again in 1 second.`,
    { window: 'second', limit: MAX_PER_SECOND, retryAfter: 1 },
    { retryAfterSeconds: 1 },
  );
}

function eventTypeOf(body: string): string | null {
  try {
    const { type } = JSON.parse(body) as { type?: unknown };
    return typeof type === 'string' ? storableText(type.slice(0, MAX_EVENT_TYPE)) : null;
  } catch {
    return null;
  }
}

function storedHeaders(headers: LocalDelivery['headers']): Record<string, string> {
  const stored = Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name));
  return Object.fromEntries(
    stored.slice(0, MAX_HEADERS).map(([name, value]) => [
      redactSecrets(name),
      // A signature looks like a token, but is not secret.
      storableText(
        (name === SIGNATURE ? String(value) : redactSecrets(String(value))).slice(
          0,
          MAX_HEADER_LENGTH,
        ),
      ),
    ]),
  );
}
