import { Injectable } from '@nestjs/common';
import { isUnlimited } from '../auth/plan.js';
import type { Principal } from '../auth/principal.js';
import { limitsOf } from '../rate-limit/plan-limits.js';
import { RateLimitStorage, type RateLimitUsage } from '../rate-limit/rate-limit-storage.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { QuotasRepository, type Used } from './quotas/quotas.repository.js';

@Injectable()
export class UsageService {
  constructor(
    private readonly repository: QuotasRepository,
    private readonly clock: Clock,
    private readonly rateLimits: RateLimitStorage,
  ) {}

  /** Returns the account's usage and its rate-limit windows: those after the request, if it was counted. */
  async overview(principal: Principal, counted: RateLimitUsage | undefined) {
    const [used, windows] = await Promise.all([
      this.read(principal.accountId),
      counted ?? this.currentWindows(principal),
    ]);
    return { used, windows };
  }

  /** Returns the account's use of all quotas, from one snapshot. */
  read(accountId: string): Promise<Used> {
    return this.repository.read(accountId, this.clock.now());
  }

  /** Returns the account's rate-limit windows without consuming a request, or `undefined` if it has no limits. */
  currentWindows({
    accountId,
    plan,
    customLimits,
  }: Principal): Promise<RateLimitUsage | undefined> {
    const limits = limitsOf(plan, customLimits);
    return isUnlimited(limits)
      ? Promise.resolve(undefined)
      : this.rateLimits.currentUsage(accountId, limits);
  }
}
