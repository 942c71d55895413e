import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/auth/request-context.js';
import type { Plan } from '../access/auth/plan.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import type { Caller } from '../../platform/database/concurrency/bounded-queue.js';
import { Database, type Statement } from '../../platform/database/database.js';
import {
  COUNT_ROWS,
  COUNT_TODAY,
  USED_TODAY,
  type CountedQuota,
  type DailyQuota,
} from './counted-rows.js';
import { DocumentUsage, limitsDocuments, type DocumentClaim } from './document-claim.js';
import { PLAN_QUOTAS } from './plan-quotas.js';
import { quotaExceeded } from './quota-refusal.js';

/** Locks the account until the transaction ends, and counts what it has after that. */
const HOLD_DOCUMENTS: Statement = {
  name: 'usage.hold-documents',
  text: `SELECT used[1]::float8 AS documents, used[2]::float8 AS bytes
           FROM hold_document_quota($1::uuid) AS used`,
};

/** A lock for each quota: a long import of documents holds up no new key. */
const HOLD_ROWS: Statement = {
  name: 'usage.hold-rows',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($2::text, quota_lock($1::uuid)))',
};

/** Whose quota is asked. */
export interface Owner {
  accountId: string;
  plan: Plan;
  /** Who waits for the answer. */
  caller?: Caller | undefined;
}

/**
 * Holds accounts to what their plans allow, exactly: whoever adds to an account takes its lock, counts after that, and
 * keeps the lock until what was added is committed. Taking away needs no lock. See docs/adr/0008-rate-limits-and-quotas.md.
 */
@Injectable()
export class Quotas {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Does `work`, which adds one, in a transaction in which the account has room for it. Throws `forbidden` when it has
   * none.
   */
  async whereRoom<Result>(
    { accountId, plan, caller }: Owner,
    quota: CountedQuota,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const limit = PLAN_QUOTAS[plan][quota];
    return this.database.transaction(
      async () => {
        if (limit === null) return work();
        await this.database.run(HOLD_ROWS, [accountId, quota]);
        const values = [accountId, this.clock.now()];
        const [row] = await this.database.run<{ used: number }>(COUNT_ROWS[quota], values);
        const used = row?.used ?? 0;
        if (used >= limit) throw quotaExceeded({ quota, limit, used, plan, requested: 1 });
        return work();
      },
      caller,
      accountId,
    );
  }

  /**
   * Counts `more` against what the account may use on a day (UTC), with the caller's transaction; a negative number gives
   * back. Throws `forbidden` when that is more than the plan allows.
   */
  async countToday({ accountId, plan }: Owner, quota: DailyQuota, more: number): Promise<void> {
    const limit = PLAN_QUOTAS[plan][quota];
    const values = [accountId, this.clock.now(), more, limit];
    const [row] = await this.database.run<{ used: number }>(COUNT_TODAY[quota], values);
    if (row || limit === null) return;
    const today = await this.database.run<{ used: number }>(USED_TODAY[quota], values.slice(0, 2));
    const used = today[0]?.used ?? 0;
    throw quotaExceeded({ quota, limit, used, plan, requested: more });
  }

  /**
   * Does `work`, which adds documents, in a transaction in which the account has room for them; under a plan without limits
   * at once, unless `locked` asks for the account's lock. Throws `forbidden` when it has none.
   */
  async whereDocumentsFit<Result>(
    { principal, caller }: Pick<RequestContext, 'principal' | 'caller'>,
    more: () => DocumentClaim,
    work: () => Promise<Result>,
    { locked = false } = {},
  ): Promise<Result> {
    const isLimited = limitsDocuments(principal.plan);
    if (!isLimited && !locked) return work();
    const inTransaction = async () => {
      const used = await this.lockDocuments(principal);
      if (isLimited) used.requireRoom(more());
      return work();
    };
    return this.database.transaction(inTransaction, caller, principal.accountId);
  }

  /** As {@link lockDocuments}; null, and nothing is locked, under a plan without limits. */
  async holdDocuments(owner: Omit<Owner, 'caller'>): Promise<DocumentUsage | null> {
    return limitsDocuments(owner.plan) ? this.lockDocuments(owner) : null;
  }

  /**
   * Locks the documents of an account until the transaction ends, and returns what it has. For whoever adds to them, and
   * under every plan for whoever gives documents other external ids or changes several: call it before any of them is
   * locked, so that nobody waits in a circle. Rejects after three seconds of waiting.
   */
  async lockDocuments({ accountId, plan }: Omit<Owner, 'caller'>): Promise<DocumentUsage> {
    const [used] = await this.database.run<DocumentClaim>(HOLD_DOCUMENTS, [accountId]);
    return new DocumentUsage(plan, used ?? { documents: 0, bytes: 0 });
  }
}
