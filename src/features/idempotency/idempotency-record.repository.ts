import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { IdempotencyRecordEntity } from './entities/idempotency-record.entity.js';
import type { IdempotencyRecord } from './idempotency-record.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Held until the transaction ends, so that a retry that comes meanwhile knows that the first is still running. */
const LOCK: Statement = {
  name: 'idempotency.lock',
  text: 'SELECT pg_try_advisory_xact_lock($1::bigint) AS free',
};

/** A request as its retries repeat it. */
export interface KeyedRequest {
  accountId: string;
  /** UUID of the API key or person that asks; for others of the account it is another request. */
  principalId: string;
  /** Method and path with query. */
  route: string;
  key: string;
  bodyHash: Buffer;
}

/** Keeps how requests with an Idempotency-Key ended, for 24 hours. */
@Injectable()
export class IdempotencyRecordRepository {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims the key for the current transaction; returns the record of an earlier request with it, if there is one.
   * Throws `conflict` while another request with it runs, and `unprocessable` when its body was another.
   */
  async claim(request: KeyedRequest): Promise<IdempotencyRecord | undefined> {
    const id = idOf(request);
    const lockNumber = id.readBigInt64BE(0).toString();
    const [lock] = await this.database.run<{ free: boolean }>(LOCK, [lockNumber]);
    if (!lock?.free) throw stillRunning();
    // A statement of its own after the lock: it must see what the holder before has committed.
    const { accountId, principalId } = request;
    const kept = await this.database
      .repository(IdempotencyRecordEntity)
      .findOneBy({ id, accountId, principalId, expiresAt: MoreThan(this.clock.now()) });
    if (!kept) return undefined;
    if (!kept.bodyHash.equals(request.bodyHash)) throw anotherBody();
    const text = this.secretBox.open(kept.outcomeEncrypted, id.toString('hex'));
    return JSON.parse(text) as IdempotencyRecord;
  }

  /** Keeps the record of a claimed request; it counts when the transaction commits. */
  async keep(request: KeyedRequest, record: IdempotencyRecord): Promise<void> {
    const id = idOf(request);
    const { accountId, principalId, bodyHash } = request;
    const outcomeEncrypted = this.secretBox.seal(JSON.stringify(record), id.toString('hex'));
    const expiresAt = new Date(this.clock.now().getTime() + DAY_MS);
    await this.database
      .repository(IdempotencyRecordEntity)
      .upsert({ id, accountId, principalId, bodyHash, outcomeEncrypted, expiresAt }, ['id']);
  }
}

function idOf({ accountId, principalId, route, key }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([accountId, principalId, route, key]))
    .digest();
}

/** The answer to a retry that comes before the first request has ended. */
export function stillRunning(): AppError {
  return new AppError(
    'conflict',
    'A request with this Idempotency-Key is still running. Send it again in a moment.',
    { field: 'Idempotency-Key', issue: 'is in use by a request that has not ended' },
    { retryAfterSeconds: 1 },
  );
}

/** The answer to another request under a key that was used. */
export function anotherBody(): AppError {
  return new AppError(
    'unprocessable',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
    { field: 'Idempotency-Key', issue: 'was used with another body' },
  );
}
