import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Executor, Statement } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { Outcome } from './outcome.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Held until the transaction ends, so that a retry that comes meanwhile knows that the first is still running. */
const LOCK: Statement = {
  name: 'idempotency.lock',
  text: 'SELECT pg_try_advisory_xact_lock($1::bigint) AS free',
};

/** A statement of its own after the lock: it must see what the holder before has committed. */
const FIND: Statement = {
  name: 'idempotency.find',
  text: `SELECT body_hash, outcome_encrypted FROM idempotency_keys
          WHERE id = $1 AND account_id = $2 AND principal_id = $3 AND expires_at > $4`,
};

const KEEP: Statement = {
  name: 'idempotency.keep',
  text: `INSERT INTO idempotency_keys (id, account_id, principal_id, body_hash, outcome_encrypted, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO UPDATE SET body_hash = EXCLUDED.body_hash, expires_at = EXCLUDED.expires_at,
           outcome_encrypted = EXCLUDED.outcome_encrypted`,
};

/** A request as its retries repeat it. */
export interface KeyedRequest {
  accountId: string;
  /** UUID of the API key that asks; for others of the account it is another request. */
  principalId: string;
  /** Method and path with query. */
  route: string;
  key: string;
  bodyHash: Buffer;
}

/** Keeps how requests with an Idempotency-Key ended, for 24 hours. */
@Injectable()
export class OutcomeStore {
  constructor(private readonly secretBox: SecretBox) {}

  /**
   * Claims the key for the transaction of `executor`; returns the outcome of an earlier request with it, if there is
   * one. Throws `conflict` while another request with it runs, and `unprocessable` when its body was another.
   */
  async claim(executor: Executor, request: KeyedRequest, now: Date): Promise<Outcome | undefined> {
    const id = idOf(request);
    const [lock] = await executor.run<{ free: boolean }>(LOCK, [id.readBigInt64BE(0).toString()]);
    if (!lock?.free) throw stillRunning();
    const [kept] = await executor.run<{ body_hash: Buffer; outcome_encrypted: Buffer }>(FIND, [
      id,
      request.accountId,
      request.principalId,
      now,
    ]);
    if (!kept) return undefined;
    if (!kept.body_hash.equals(request.bodyHash)) throw anotherBody();
    return JSON.parse(this.secretBox.open(kept.outcome_encrypted, id.toString('hex'))) as Outcome;
  }

  /** Keeps the outcome of a claimed request; it counts when the transaction of `executor` commits. */
  async keep(
    executor: Executor,
    request: KeyedRequest,
    outcome: Outcome,
    now: Date,
  ): Promise<void> {
    const id = idOf(request);
    await executor.run(KEEP, [
      id,
      request.accountId,
      request.principalId,
      request.bodyHash,
      this.secretBox.seal(JSON.stringify(outcome), id.toString('hex')),
      new Date(now.getTime() + DAY_MS),
    ]);
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
