import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
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
  ) {}

  /** What the account has now, in one snapshot. */
  async read(accountId: string): Promise<Used> {
    const [used] = await this.database.run<Used>(USED, [accountId, this.clock.now()]);
    if (!used) throw new Error('A sum has one row.');
    return used;
  }
}
