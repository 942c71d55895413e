import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../../platform/database/database.js';

const RESERVE: Statement = {
  name: 'analysis.reserve-tokens',
  text: `INSERT INTO token_reservations (id, account_id, day, tokens, expires_at)
         VALUES ($1, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date, $4, $5)`,
};

/** Adds all used tokens if the reservation has expired, because its expiry has already refunded the reserved ones. */
const SETTLE: Statement = {
  name: 'analysis.settle-tokens',
  text: `WITH ended AS (DELETE FROM token_reservations WHERE id = $1 RETURNING tokens)
         UPDATE analysis_usage SET tokens = greatest(tokens + $4 - coalesce((SELECT tokens FROM ended), 0), 0)
          WHERE account_id = $2 AND day = ($3::timestamptz AT TIME ZONE 'UTC')::date`,
};

/** Maximum reservations that one statement expires. */
export const EXPIRY_BATCH = 500;

/** Deletes and refunds reservations in one statement, so that nothing is refunded twice. */
const EXPIRE: Statement = {
  name: 'analysis.expire-reservations',
  text: `WITH expired AS (
      DELETE FROM token_reservations WHERE id IN (
        SELECT id FROM token_reservations WHERE expires_at <= $1
         ORDER BY expires_at LIMIT ${String(EXPIRY_BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING account_id, day, tokens
    ), sums AS (
      SELECT account_id, day, sum(tokens) AS tokens FROM expired GROUP BY account_id, day
    ), given_back AS (
      UPDATE analysis_usage AS used SET tokens = greatest(used.tokens - sums.tokens, 0)
        FROM sums WHERE used.account_id = sums.account_id AND used.day = sums.day
    )
    SELECT count(*)::integer AS expired FROM expired`,
};

/** A reservation of tokens. Ids are UUIDs. */
interface TokenReservation {
  id: string;
  accountId: string;
  /** Determines which UTC day is charged. */
  at: Date;
}

/** Token reservations in PostgreSQL. */
@Injectable()
export class TokenBudgetRepository {
  constructor(private readonly database: Database) {}

  async reserve(
    { id, accountId, at }: TokenReservation,
    tokens: number,
    expiresAt: Date,
  ): Promise<void> {
    await this.database.run(RESERVE, [id, accountId, at, tokens, expiresAt]);
  }

  /** Replaces the reserved tokens with the used ones. */
  async settle({ id, accountId, at }: TokenReservation, used: number): Promise<void> {
    await this.database.run(SETTLE, [id, accountId, at, Math.round(used)]);
  }

  /** Refunds expired reservations. Returns their number, at most {@link EXPIRY_BATCH}. */
  async expire(now: Date): Promise<number> {
    const [row] = await this.database.run<{ expired: number }>(EXPIRE, [now]);
    return row?.expired ?? 0;
  }
}
