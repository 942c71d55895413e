import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/auth/principal.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database } from '../../platform/database/database.js';
import { isUnlimited, limitsOf } from '../access/rate-limit/plan-limits.js';
import {
  RATE_LIMIT_STORAGE,
  type RateLimitStorage,
  type Take,
} from '../access/rate-limit/rate-limit-storage.js';
import { USED } from './counted-rows.js';
import type { Quota } from './plan-quotas.js';

/** What an account has, as it is counted; the trash is in both, and beside them once more. */
export type Used = Record<Quota, number> & { trashedDocuments: number; trashedBytes: number };

/** What accounts have. */
@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(RATE_LIMIT_STORAGE) private readonly windows: RateLimitStorage,
  ) {}

  /** Returns what the account uses, and its rate-limit windows: those in `take`, or else their current state. */
  async overview(principal: Principal, take: Take | undefined) {
    const [used, windows] = await Promise.all([
      this.read(principal.accountId),
      take ?? this.lookAtWindows(principal),
    ]);
    return { used, windows };
  }

  /** What the account has now, in one snapshot. */
  async read(accountId: string): Promise<Used> {
    const [used] = await this.database.run<Used>(USED, [accountId, this.clock.now()]);
    if (!used) throw new Error('A sum has one row.');
    return used;
  }

  /** The account's windows for a request that took nothing from them; `undefined` where none is limited. */
  lookAtWindows({ accountId, plan, customLimits }: Principal): Promise<Take | undefined> {
    const limits = limitsOf(plan, customLimits);
    return isUnlimited(limits) ? Promise.resolve(undefined) : this.windows.look(accountId, limits);
  }
}
