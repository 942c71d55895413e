import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountEntity } from '../../../auth/entities/account.entity.js';
import { QuotasService } from '../../../usage/quotas/quotas.service.js';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { notFound } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../../platform/database/database.js';
import { EXPIRY_BATCH, TokenBudgetRepository } from './token-budget.repository.js';

/** UTF-8 bytes per token. Low for most languages and models, so estimates are too high rather than too low. */
const BYTES_PER_TOKEN = 3;

/** Longer than one call, so that only reservations of dead or stuck processes expire. */
const RESERVED_FOR_MS = 10 * MINUTE_MS;

export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** Tokens that are already charged for an unfinished call. */
interface Reservation {
  /**
   * Charges the used tokens instead of the reserved ones, to the day of the reservation, even beyond the plan's quota. Call
   * it once.
   */
  settle(used: number): Promise<void>;
}

/** Limits accounts to the daily tokens of their plan (`modelTokensPerDay`). */
@Injectable()
export class TokenBudgetService {
  constructor(
    private readonly database: Database,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly reservations: TokenBudgetRepository,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /** Throws `forbidden` if the plan's quota is used up. `ReservationExpiry` refunds reservations that are never settled. */
  async reserve(accountId: string, tokens: number): Promise<Reservation> {
    // Read the current plan. It may have changed since the job was queued, and the system's own plan has no limits.
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw notFound('account');
    const { plan } = account;
    const reservation = { id: newUuid(), accountId, at: this.clock.now() };
    const expiresAt = new Date(reservation.at.getTime() + RESERVED_FOR_MS);
    await this.database.transaction(async () => {
      await this.quotas.countToday({ accountId, plan }, 'modelTokensPerDay', tokens);
      await this.reservations.reserve(reservation, tokens, expiresAt);
    });
    return { settle: (used) => this.reservations.settle(reservation, used) };
  }
}

/** Refunds the tokens of calls whose process died before it settled them. */
@RunsInBackground({ name: 'Refunding tokens of unfinished calls', everyMs: MINUTE_MS })
@Injectable()
export class ReservationExpiry implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly reservations: TokenBudgetRepository,
    private readonly clock: Clock,
  ) {}

  /** Runs in a transaction, because two batches may update the same accounts. A transaction is retried after a deadlock. */
  async runBatch(): Promise<boolean> {
    const expired = await this.database.transaction(() =>
      this.reservations.expire(this.clock.now()),
    );
    return expired === EXPIRY_BATCH;
  }
}
