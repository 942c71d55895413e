import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { redactSecrets } from '../../../platform/basics/redact-secrets.js';
import { isToken, issueToken } from '../../people/sessions/secret-token.js';
import { LocalReceivers, type LocalDelivery } from '../../webhooks/settings/local-receivers.js';
import { signatureProblem } from '../../webhooks/signing/signature.js';
import { WebhookSecrets } from '../../webhooks/signing/webhook-secrets.js';
import {
  ReceivedDeliveryEntity,
  TestReceiverEntity,
  type Signature,
} from './entities/test-receiver.entity.js';

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Receivers of an account at once. */
const MAX_RECEIVERS = 5;
/** Deliveries of a receiver that are kept, and taken in a second. */
const KEPT = 50;
const PER_SECOND = 10;

/** Headers that are kept of a delivery, and characters of each. Credentials of a stranger's browser are nobody's business. */
const MAX_HEADERS = 50;
const MAX_HEADER_LENGTH = 1_000;
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const SIGNATURE = 'webhook-signature';
const MAX_EVENT_TYPE = 100;

/** Takes one in while the receiver is locked; no row where the last second was full. */
const RECEIVE: Statement = {
  name: 'receivers.receive',
  text: `WITH room AS (
      SELECT FROM received_deliveries WHERE receiver_id = $2 AND received_at > $3::timestamptz - interval '1 second'
      HAVING count(*) < ${String(PER_SECOND)}
    ), surplus AS (
      DELETE FROM received_deliveries WHERE id IN (
        SELECT id FROM received_deliveries WHERE receiver_id = $2
         ORDER BY received_at DESC, id DESC OFFSET ${String(KEPT - 1)})
         AND EXISTS (SELECT FROM room)
    )
    INSERT INTO received_deliveries (id, receiver_id, received_at, event_type, headers, body, signature)
    SELECT $1, $2, $3, $4, $5, $6, $7 FROM room
    RETURNING id`,
};

/**
 * Receivers for trying webhooks, which are part of the service: each shows for a day what was sent to it, and whether the
 * signature holds.
 */
@Injectable()
export class TestReceivers extends LocalReceivers {
  constructor(
    private readonly database: Database,
    private readonly secrets: WebhookSecrets,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Makes a receiver below `origin`. Throws `conflict` when the account has enough of them, and where they are off. */
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
      const lock = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
      await this.database.manager.query(lock, [accountId]);
      const others = await this.receivers.countBy({ accountId, expiresAt: MoreThan(now) });
      if (others >= MAX_RECEIVERS) throw enoughReceivers();
      await this.receivers.insert(receiver);
      return { ...receiver } as TestReceiverEntity;
    });
  }

  /** Those of the account that take deliveries, the newest first. */
  async list(accountId: string): Promise<TestReceiverEntity[]> {
    this.requireOn();
    const expiresAt = MoreThan(this.clock.now());
    return this.receivers.find({ where: { accountId, expiresAt }, order: { createdAt: 'DESC' } });
  }

  /** What a receiver of the account has got, the newest first. Throws `not_found`. */
  async deliveries(accountId: string, id: string): Promise<ReceivedDeliveryEntity[]> {
    const receiverId = uuidOf('receiver', id);
    const expiresAt = MoreThan(this.clock.now());
    const exists = await this.receivers.existsBy({ id: receiverId, accountId, expiresAt });
    if (!exists) throw notFound('receiver');
    return this.database
      .repository(ReceivedDeliveryEntity)
      .find({ where: { receiverId }, order: { receivedAt: 'DESC', id: 'DESC' }, take: KEPT });
  }

  /** Removes a receiver of the account with all that it has got. Throws `not_found`. */
  async delete(accountId: string, id: string): Promise<void> {
    const { affected } = await this.receivers.delete({ id: uuidOf('receiver', id), accountId });
    if (affected !== 1) throw notFound('receiver');
  }

  /** Takes in what was sent to the receiver with this token. Throws `not_found`, or `rate_limited` for too much at once. */
  async receive(token: string, delivery: LocalDelivery): Promise<void> {
    if (!this.config.testReceivers || !isToken(token)) throw notFound('receiver');
    const expiresAt = MoreThan(this.clock.now());
    const receiver = await this.receivers.findOneBy({ token, expiresAt });
    if (!receiver) throw notFound('receiver');
    if (!(await this.keep(receiver, delivery))) throw tooFast();
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
    return receiver && ((await this.keep(receiver, delivery)) ? 200 : 429);
  }

  /** Removes what has expired, a bounded number at once; how many. */
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

  private async at(accountId: string, url: string): Promise<TestReceiverEntity | undefined> {
    if (!this.config.testReceivers) return undefined;
    const token = url.slice(url.lastIndexOf('/') + 1);
    const where = { token, url, accountId, expiresAt: MoreThan(this.clock.now()) };
    return (await this.receivers.findOneBy(where)) ?? undefined;
  }

  /** Whether there was room for it in this second. */
  private async keep(
    { id, accountId, url }: TestReceiverEntity,
    delivery: LocalDelivery,
  ): Promise<boolean> {
    const now = this.clock.now();
    const body = delivery.body.toString('utf8').replaceAll('\0', '\ufffd');
    const signature = await this.signatureOf(accountId, url, delivery, now);
    return this.database.transaction(async () => {
      const lock = 'SELECT FROM test_receivers WHERE id = $1 FOR NO KEY UPDATE';
      await this.database.manager.query(lock, [id]);
      const headers = JSON.stringify(keptHeaders(delivery.headers));
      const values = [newUuid(), id, now, eventTypeOf(body), headers, body, signature];
      return (await this.database.run(RECEIVE, values)).length === 1;
    });
  }

  private async signatureOf(
    accountId: string,
    url: string,
    delivery: LocalDelivery,
    now: Date,
  ): Promise<Signature> {
    const secrets = await this.secrets.of(accountId, url);
    if (secrets.length === 0) return 'unknown';
    return signatureProblem(delivery, secrets, now) === undefined ? 'valid' : 'invalid';
  }

  private requireOn(): void {
    if (!this.config.testReceivers) throw receiversAreOff();
  }

  private get receivers() {
    return this.database.repository(TestReceiverEntity);
  }
}

/** The answer where the operator offers no receivers. */
export function receiversAreOff(): AppError {
  return new AppError(
    'not_found',
    'This service offers no test receivers. The operator turns them on by TEST_RECEIVERS=true.',
    { code: 'off' },
  );
}

/** The answer to one receiver too many. */
export function enoughReceivers(): AppError {
  return new AppError(
    'conflict',
    `The account has ${String(MAX_RECEIVERS)} test receivers, the most there may be. Delete one.`,
    { limit: MAX_RECEIVERS },
  );
}

function tooFast(): AppError {
  return new AppError(
    'rate_limited',
    `A test receiver takes ${String(PER_SECOND)} deliveries a second. Try again in 1 second.`,
    { window: 'second', limit: PER_SECOND, retryAfter: 1 },
    { retryAfterSeconds: 1 },
  );
}

function eventTypeOf(body: string): string | null {
  try {
    const { type } = JSON.parse(body) as { type?: unknown };
    return typeof type === 'string' ? type.slice(0, MAX_EVENT_TYPE).toWellFormed() : null;
  } catch {
    return null;
  }
}

function keptHeaders(headers: LocalDelivery['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.has(name));
  return Object.fromEntries(
    kept.slice(0, MAX_HEADERS).map(([name, value]) => [
      redactSecrets(name),
      // A signature looks like a token, and is none.
      (name === SIGNATURE ? String(value) : redactSecrets(String(value)))
        .slice(0, MAX_HEADER_LENGTH)
        .replaceAll('\0', '\ufffd'),
    ]),
  );
}
