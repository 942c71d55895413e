import { AccountEntity } from '../../../auth/entities/account.entity.js';
import type { Clock } from '../../../clock/clock.js';
import type { Database } from '../../../database/database.js';
import { notFound } from '../../../errors/app-error.js';
import { Quotas } from '../../../usage/quotas.js';

/** UTF-8 bytes of a token: more than this in most languages and models, so that too much is reserved, not too little. */
const BYTES_PER_TOKEN = 3;

export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Tokens that are counted already, for a call that is under way. */
export interface Reservation {
  /** Counts what was used instead, once; also beyond what the plan allows. */
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

  /** Throws `forbidden` when the plan allows no more today. What a process dies with stays counted. */
  async reserve(accountId: string, tokens: number): Promise<Reservation> {
    // The plan of today, not the one when the job was ordered; and not the system's, which is above all plans.
    const account = await this.database.repository(AccountEntity).findOneBy({ id: accountId });
    if (!account) throw notFound('account');
    const day = this.today();
    await this.quotas.countToday({ accountId, plan: account.plan }, 'modelTokensPerDay', tokens);
    return {
      settle: async (used) => {
        const more = Math.round(used) - tokens;
        // Nothing is given back to a day from which nothing was taken.
        if (more === 0 || (more < 0 && this.today() !== day)) return;
        // A plan without a limit: what was used is used.
        const unlimited = { accountId, plan: 'enterprise' } as const;
        await this.quotas.countToday(unlimited, 'modelTokensPerDay', more);
      },
    };
  }

  private today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
