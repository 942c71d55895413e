import { Injectable } from '@nestjs/common';
import type { Principal } from '../../auth/principal.js';
import { QuotasService } from '../../usage/quotas/quotas.service.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import type { Caller } from '../../../platform/basics/concurrency/fair-limiter.js';
import { countedParagraphs, FreeParagraphs } from './free-paragraphs.js';

/** Counts checked characters (UTF-16 units, without markup) against the daily quota of the plan. */
@Injectable()
export class CheckerQuota {
  private readonly free = new FreeParagraphs();

  constructor(
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the paragraphs of a text or of its parts that this process has not checked in the last hour, and runs `work`. If it fails, gives
   * them back, unless the client has disconnected: its text may have been checked. Throws `forbidden` if the quota is used up.
   */
  async withinQuota<Result>(
    text: string | readonly string[],
    principal: Principal,
    client: Caller,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { accountId } = principal;
    const paragraphs = [text].flat().flatMap(countedParagraphs);
    const units = this.free.unchecked(accountId, paragraphs, this.clock.now());
    if (units > 0) await this.quotas.countToday(principal, 'checkCharactersPerDay', units);
    try {
      const result = await work();
      this.free.add(accountId, paragraphs, this.clock.now());
      return result;
    } catch (error) {
      if (units > 0 && !client.closed) {
        await this.quotas.countToday(principal, 'checkCharactersPerDay', -units);
      }
      throw error;
    }
  }
}
