import { AccountEntity } from '../../../access/auth/entities/account.entity.js';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { notFound } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { Quotas } from '../../../usage/quotas.js';
import { Injectable } from '@nestjs/common';

/** UTF-8 bytes of a token: more than this in most languages and models, so that too much is reserved, not too little. */
const BYTES_PER_TOKEN = 3;

/** Longer than all calls of a job take, so that only a process that died, or hangs, leaves one to expire. */
const RESERVED_FOR_MS = 10 * MINUTE_MS;

const RESERVE: Statement = {
  name: 'analysis.reserve-tokens',
  text: `INSERT INTO token_reservations (id, account_id, day, tokens, expires_at)
         VALUES ($1, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date, $4, $5)`,
};

/** One that has expired was given back already: then all that was used is added. */
const SETTLE: Statement = {
  name: 'analysis.settle-tokens',
  text: `WITH ended AS (DELETE FROM token_reservations WHERE id = $1 RETURNING tokens)
         UPDATE analysis_usage SET tokens = greatest(tokens + $4 - coalesce((SELECT tokens FROM ended), 0), 0)
          WHERE account_id = $2 AND day = ($3::timestamptz AT TIME ZONE 'UTC')::date`,
};

export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Tokens that are counted already, for a call that is under way. */
export interface Reservation {
  /** Counts what was used instead, once; also beyond what the plan allows, and on the day on which it was reserved. */
  settle(used: number): Promise<void>;
}

/** Holds accounts to the tokens of a day that their plan allows: `modelTokensPerDay`. */
export class TokenBudget {
  private readonly quotas: Quotas;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.quotas = new Quotas(database, clock);
  }

  /** Throws `forbidden` when the plan allows no more today. What nobody settles expires: `ReservationExpiry`. */
  async reserve(accountId: string, tokens: number): Promise<Reservation> {
    // The plan of today, not the one when the job was ordered; and not the system's, which is above all plans.
    const account = await this.database.repository(AccountEntity).findOneBy({ id: accountId });
    if (!account) throw notFound('account');
    const id = newUuid();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + RESERVED_FOR_MS);
    await this.database.transaction(async () => {
      await this.quotas.countToday({ accountId, plan: account.plan }, 'modelTokensPerDay', tokens);
      await this.database.run(RESERVE, [id, accountId, now, tokens, expiresAt]);
    });
    return {
      settle: async (used) => {
        await this.database.run(SETTLE, [id, accountId, now, Math.round(used)]);
      },
    };
  }
}

const BATCH = 500;

/** Whoever removes a reservation gives it back, in the same statement, so that no other worker or call does it again. */
const EXPIRE: Statement = {
  name: 'analysis.expire-reservations',
  text: `WITH expired AS (
      DELETE FROM token_reservations WHERE id IN (
        SELECT id FROM token_reservations WHERE expires_at <= $1
         ORDER BY expires_at LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING account_id, day, tokens
    ), sums AS (
      SELECT account_id, day, sum(tokens) AS tokens FROM expired GROUP BY account_id, day
    ), given_back AS (
      UPDATE analysis_usage AS used SET tokens = greatest(used.tokens - sums.tokens, 0)
        FROM sums WHERE used.account_id = sums.account_id AND used.day = sums.day
    )
    SELECT count(*)::integer AS expired FROM expired`,
};

/** Gives back the tokens of calls whose process died before it could say what they cost. */
@RunsInBackground({ name: 'Giving back the tokens of unfinished calls', everyMs: MINUTE_MS })
@Injectable()
export class ReservationExpiry implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** In a transaction, which is done again after a deadlock: two batches may meet at the counts of two accounts. */
  async runBatch(): Promise<boolean> {
    const [row] = await this.database.transaction(() =>
      this.database.run<{ expired: number }>(EXPIRE, [this.clock.now()]),
    );
    return row?.expired === BATCH;
  }
}
