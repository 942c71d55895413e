import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import type { Plan } from '../../auth/plan.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import type { Caller } from '../../../platform/basics/concurrency/fair-limiter.js';
import { Database } from '../../../platform/database/database.js';
import { endOfDay, ThresholdsService, type LimitUse } from '../thresholds/thresholds.service.js';
import { PLAN_QUOTAS, type Quota } from './plan-quotas.js';
import { quotaExceeded } from './quota-refusal.js';
import {
  QuotasRepository,
  type CountedQuota,
  type DailyQuota,
  type DocumentClaim,
} from './quotas.repository.js';

/** The account whose quota is checked. */
export interface Owner {
  accountId: string;
  plan: Plan;
  /** The client that waits for the result. */
  caller?: Caller | undefined;
}

/** Reports thresholds that `used`, which includes `more`, has reached. */
type Report = (quota: Quota, used: number, more: number) => Promise<void>;

/** An account's documents, counted while it holds their lock. */
class DocumentUsage {
  constructor(
    private readonly plan: Plan,
    private readonly used: DocumentClaim,
    private readonly report: Report,
  ) {}

  /** Throws `forbidden` if adding the claim would exceed the plan. A claim that adds nothing never throws. */
  requireCapacity({ documents, bytes }: DocumentClaim): void {
    this.require('documents', this.used.documents, documents);
    this.require('storageBytes', this.used.bytes, bytes);
  }

  /**
   * Like {@link requireCapacity}, before the caller's transaction adds the claim. Reports thresholds that the account
   * reaches with it.
   */
  async claim(claim: DocumentClaim): Promise<void> {
    this.requireCapacity(claim);
    await this.report('documents', this.used.documents + claim.documents, claim.documents);
    await this.report('storageBytes', this.used.bytes + claim.bytes, claim.bytes);
  }

  private require(quota: 'documents' | 'storageBytes', used: number, requested: number): void {
    const { plan } = this;
    const limit = PLAN_QUOTAS[plan][quota];
    if (limit === null || requested <= 0 || used + requested <= limit) return;
    throw quotaExceeded({ quota, limit, used, plan, requested });
  }
}

/**
 * Enforces the quotas of plans exactly. A transaction that adds rows takes the account's lock, counts, and holds the lock
 * until it commits. Removing rows needs no lock. See docs/adr/0008-rate-limits-and-quotas.md.
 */
@Injectable()
export class QuotasService {
  constructor(
    private readonly database: Database,
    private readonly repository: QuotasRepository,
    private readonly clock: Clock,
    private readonly thresholds: ThresholdsService,
  ) {}

  /** Runs `work`, which adds one row, in a transaction. Throws `forbidden` if the quota is used up. */
  async withinQuota<Result>(
    { accountId, plan, caller }: Owner,
    quota: CountedQuota,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const limit = PLAN_QUOTAS[plan][quota];
    return this.database.transaction(
      async () => {
        if (limit === null) return work();
        const used = await this.repository.lockRows(accountId, quota, this.clock.now());
        if (used >= limit) throw quotaExceeded({ quota, limit, used, plan, requested: 1 });
        await this.reporter({ accountId, plan })(quota, used + 1, 1);
        return work();
      },
      caller,
      accountId,
    );
  }

  /**
   * Adds `more` to today's use (UTC) in the caller's transaction. A negative number gives back. Throws `forbidden` if
   * that would exceed the plan.
   */
  async countToday({ accountId, plan }: Owner, quota: DailyQuota, more: number): Promise<void> {
    const limit = PLAN_QUOTAS[plan][quota];
    const now = this.clock.now();
    const sum = await this.repository.addToday(accountId, quota, now, { more, limit });
    if (limit === null) return;
    if (sum === undefined) {
      const used = await this.repository.readToday(accountId, quota, now);
      throw quotaExceeded({ quota, limit, used, plan, requested: more });
    }
    const period = { window: 'day', resetAt: endOfDay(now) } as const;
    await this.reporter({ accountId, plan }, period)(quota, sum, more);
  }

  /**
   * Runs `work`, which adds documents, in a transaction that locks and counts the account's documents. For a plan without
   * limits, runs it without a lock unless `locked` requires one. Throws `forbidden` if the quota is used up.
   */
  async withinDocumentQuota<Result>(
    { principal, caller }: Pick<RequestContext, 'principal' | 'caller'>,
    more: () => DocumentClaim,
    work: () => Promise<Result>,
    { locked = false } = {},
  ): Promise<Result> {
    const isLimited = limitsDocuments(principal.plan);
    if (!isLimited && !locked) return work();
    const inTransaction = async () => {
      const used = await this.lockDocuments(principal);
      if (isLimited) await used.claim(more());
      return work();
    };
    return this.database.transaction(inTransaction, caller, principal.accountId);
  }

  /**
   * Throws `forbidden` if the account cannot store one more document with `bytes`. Holds no lock: saves the work for
   * a document that {@link withinDocumentQuota} would refuse.
   */
  async requireCapacityForDocument(
    { accountId, plan }: Omit<Owner, 'caller'>,
    bytes: number,
  ): Promise<void> {
    if (!limitsDocuments(plan)) return;
    const used = await this.repository.readDocuments(accountId);
    new DocumentUsage(plan, used, this.reporter({ accountId, plan })).requireCapacity({
      documents: 1,
      bytes,
    });
  }

  /** Like {@link lockDocuments}. For a plan without limits, locks nothing and returns null. */
  async lockLimitedDocuments(owner: Omit<Owner, 'caller'>): Promise<DocumentUsage | null> {
    return limitsDocuments(owner.plan) ? this.lockDocuments(owner) : null;
  }

  /**
   * Locks the account's documents until the transaction ends, and counts them. Required to add documents, and on every
   * plan to change external IDs or several documents. To avoid deadlocks, call it before locking a document. Rejects
   * after waiting for three seconds.
   */
  async lockDocuments({ accountId, plan }: Omit<Owner, 'caller'>): Promise<DocumentUsage> {
    const used = await this.repository.lockDocuments(accountId);
    return new DocumentUsage(plan, used, this.reporter({ accountId, plan }));
  }

  /** Returns a function that reports thresholds of quotas in the caller's transaction. */
  private reporter(
    { accountId, plan }: Omit<Owner, 'caller'>,
    period: Pick<LimitUse, 'window' | 'resetAt'> = { window: null, resetAt: null },
  ): Report {
    return async (quota, used, more) => {
      const of = PLAN_QUOTAS[plan][quota];
      if (of === null) return;
      await this.thresholds.add({ accountId, limit: quota, used, of, key: null, ...period }, more);
    };
  }
}

/** On plans without limits, documents are neither counted nor locked. */
function limitsDocuments(plan: Plan): boolean {
  const { documents, storageBytes } = PLAN_QUOTAS[plan];
  return documents !== null || storageBytes !== null;
}
