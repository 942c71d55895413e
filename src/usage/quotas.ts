import { Injectable } from '@nestjs/common';
import type { Cause } from '../auth/cause.js';
import type { Plan } from '../auth/plan.js';
import { Clock } from '../clock/clock.js';
import {
  Database,
  type Executor,
  type Statement,
  type TransactionContext,
} from '../database/database.js';
import { COUNT_ROWS } from './counted-rows.js';
import {
  claimDocuments,
  claimRefused,
  claimRows,
  limitsDocuments,
  type ClaimOutcome,
  type DocumentClaim,
} from './document-claim.js';
import { PLAN_QUOTAS, type Quota } from './plan-quotas.js';
import { quotaExceeded } from './quota-refusal.js';

const HOLD_DOCUMENTS: Statement = {
  name: 'usage.hold-documents',
  text: 'SELECT hold_document_quota($1::uuid, true)',
};

/** A lock for each quota: a long import of documents holds up no new key. */
const HOLD_ROWS: Statement = {
  name: 'usage.hold-rows',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($2::text, quota_lock($1::uuid)))',
};

const CLAIM: Statement = { name: 'usage.claim', text: claimDocuments('$1') };

/** Whose quota is asked, and what the change brings along. */
export interface Owner extends TransactionContext {
  accountId: string;
  plan: Plan;
}

/**
 * Holds accounts to what their plans allow, exactly: whoever adds to an account takes its lock, counts after that, and
 * keeps the lock until what was added is committed. Taking away needs no lock. See docs/adr/0027-quotas.md.
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
    quota: Exclude<Quota, 'documents' | 'storageBytes'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const limit = PLAN_QUOTAS[plan][quota];
    return this.database.transaction(async () => {
      if (limit === null) return work();
      await this.database.run(HOLD_ROWS, [accountId, quota]);
      const values = [accountId, this.clock.now()];
      const [row] = await this.database.run<{ used: number }>(COUNT_ROWS[quota], values);
      const used = row?.used ?? 0;
      if (used >= limit) throw quotaExceeded({ quota, limit, used, plan, requested: 1 });
      return work();
    }, caller);
  }

  /** Does `work` in a transaction in which the claim is granted. Throws `forbidden` when it is not. */
  async claiming<Result>(
    claim: DocumentClaim,
    { executor, caller }: TransactionContext,
    work: (executor: Executor) => Promise<Result>,
  ): Promise<Result> {
    const inTransaction = async (held: Executor) => {
      const [outcome] = await held.run<ClaimOutcome>(CLAIM, [claimRows([claim], true)]);
      if (!outcome?.granted) throw claimRefused(claim, outcome);
      return work(held);
    };
    return executor ? inTransaction(executor) : this.database.transaction(inTransaction, caller);
  }
}

/**
 * Takes the account's lock before a transaction of several statements locks documents: everybody takes the two in this
 * order, so that nobody waits in a circle. Does nothing without a transaction or under a plan without limits.
 */
export async function holdDocumentQuota({ principal, executor }: Cause): Promise<void> {
  if (executor && limitsDocuments(principal.plan)) {
    await executor.run(HOLD_DOCUMENTS, [principal.accountId]);
  }
}
