import type { Plan } from '../access/auth/plan.js';
import { PLAN_QUOTAS } from './plan-quotas.js';
import { quotaExceeded } from './quota-refusal.js';

/** Documents and their bytes that somebody wants to add. */
export interface DocumentClaim {
  documents: number;
  bytes: number;
}

/** Whether a plan limits documents at all; where it does not, nothing is counted and nothing is locked. */
export function limitsDocuments(plan: Plan): boolean {
  const { documents, storageBytes } = PLAN_QUOTAS[plan];
  return documents !== null || storageBytes !== null;
}

/** What an account has of documents, the trash included, while its lock is held. */
export class DocumentUsage {
  constructor(
    private readonly plan: Plan,
    private readonly used: DocumentClaim,
  ) {}

  /** Throws `forbidden` when that is more than the plan allows. What adds nothing is always allowed. */
  requireRoom({ documents, bytes }: DocumentClaim): void {
    this.require('documents', this.used.documents, documents);
    this.require('storageBytes', this.used.bytes, bytes);
  }

  private require(quota: 'documents' | 'storageBytes', used: number, requested: number): void {
    const { plan } = this;
    const limit = PLAN_QUOTAS[plan][quota];
    if (limit === null || requested <= 0 || used + requested <= limit) return;
    throw quotaExceeded({ quota, limit, used, plan, requested });
  }
}
