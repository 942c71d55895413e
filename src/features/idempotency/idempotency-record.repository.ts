import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { DAY_MS, HOUR_MS, RunsInBackground } from '../../platform/background/background-tasks.js';
import { Retention } from '../../platform/background/retention.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { IdempotencyRecordEntity } from './entities/idempotency-record.entity.js';
import { isReplayable, type IdempotencyRecord } from './idempotency-record.js';

/** Held until the transaction ends, so a concurrent retry detects that the first request is still running. */
const LOCK: Statement = {
  name: 'idempotency.lock',
  text: 'SELECT pg_try_advisory_xact_lock($1::bigint) AS free',
};

/** The parts of a request that identify its retries. */
export interface KeyedRequest {
  accountId: string;
  /** UUID of the API key or user. Each has its own idempotency keys. */
  principalId: string;
  /** Method and path with query. */
  route: string;
  key: string;
  bodyHash: Buffer;
}

/** Stores the outcomes of requests with an Idempotency-Key for 24 hours. */
@Injectable()
export class IdempotencyRecordRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(IdempotencyRecordEntity)
    private readonly records: Repository<IdempotencyRecordEntity>,
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims the key for the current transaction. Returns the record of an earlier request with this key, if any. Throws
   * `conflict` while another request with the key is running, and `unprocessable` if the earlier request had a different
   * body.
   */
  async claim(request: KeyedRequest): Promise<IdempotencyRecord | undefined> {
    const id = idOf(request);
    const lockNumber = id.readBigInt64BE(0).toString();
    const [lock] = await this.database.run<{ free: boolean }>(LOCK, [lockNumber]);
    if (!lock?.free) throw stillRunning();
    // Read this in a separate statement after the lock, to see what the previous holder committed.
    const { accountId, principalId } = request;
    const expiresAt = MoreThan(this.clock.now());
    const stored = await this.records.findOneBy({ id, accountId, principalId, expiresAt });
    if (!stored) return undefined;
    const text = this.secretBox.open(stored.outcomeEncrypted, id.toString('hex'));
    const record = JSON.parse(text) as IdempotencyRecord;
    if (!isReplayable(record)) return undefined;
    if (!stored.bodyHash.equals(request.bodyHash)) throw anotherBody();
    return record;
  }

  /** Stores the outcome of a claimed request in the current transaction. */
  async store(request: KeyedRequest, record: IdempotencyRecord): Promise<void> {
    const id = idOf(request);
    const { accountId, principalId, bodyHash } = request;
    const outcomeEncrypted = this.secretBox.seal(JSON.stringify(record), id.toString('hex'));
    const expiresAt = new Date(this.clock.now().getTime() + DAY_MS);
    const row = { id, accountId, principalId, bodyHash, outcomeEncrypted, expiresAt };
    await this.records.upsert(row, ['id']);
  }
}

/** Removes outcomes after 24 hours. */
@RunsInBackground({ name: 'The removal of old idempotency records', everyMs: HOUR_MS })
export class IdempotencyRecordRetention extends Retention {
  protected readonly expiring = [{ table: 'idempotency_keys', column: 'expires_at', afterMs: 0 }];
}

function idOf({ accountId, principalId, route, key }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([accountId, principalId, route, key]))
    .digest();
}

/** For a retry that arrives before the first request has finished. */
export function stillRunning(): AppError {
  return new AppError(
    'conflict',
    'A request with this Idempotency-Key is still running. Send it again in a moment.',
    { field: 'Idempotency-Key', issue: 'is in use by a request that has not ended' },
    { retryAfterSeconds: 1 },
  );
}

/** For a request with a key that a different request used. */
export function anotherBody(): AppError {
  return new AppError(
    'unprocessable',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
    { field: 'Idempotency-Key', issue: 'was used with another body' },
  );
}
