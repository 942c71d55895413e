import { AccountEntity } from '../../../access/auth/entities/account.entity.js';
import { MINUTE_MS } from '../../../../platform/background/background-tasks.js';
import type { Clock } from '../../../../platform/basics/clock/clock.js';
import type { Database, Statement } from '../../../../platform/database/database.js';
import { notFound } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { Quotas } from '../../../usage/quotas.js';

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
