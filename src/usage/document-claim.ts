import type { Plan } from '../auth/plan.js';
import type { Principal } from '../auth/principal.js';
import type { AppError } from '../errors/app-error.js';
import { PLAN_QUOTAS } from './plan-quotas.js';
import { quotaExceeded } from './quota-refusal.js';

/** Room that a change of documents needs under its account's plan. */
export interface DocumentClaim {
  accountId: string;
  plan: Plan;
  /** How many documents there will be more. */
  documents: number;
  /** How many bytes they will have more. */
  bytes: number;
}

/** How a claim ended, and what its account has without it. */
export interface ClaimOutcome {
  granted: boolean;
  /** Null when another transaction adds to the account and the claim did not wait for it. */
  documents_used: number | null;
  bytes_used: number | null;
}

/** Whether a plan limits documents at all; where it does not, nothing is claimed and nothing is locked. */
export function limitsDocuments(plan: Plan): boolean {
  const { documents, storageBytes } = PLAN_QUOTAS[plan];
  return documents !== null || storageBytes !== null;
}

/** What a change must claim; `null` when it needs no room, or its plan sets no limit. `bytes` may be costly to know. */
export function documentClaim(
  { accountId, plan }: Principal,
  documents: number,
  bytes: () => number,
): DocumentClaim | null {
  if (!limitsDocuments(plan)) return null;
  const claim = { accountId, plan, documents, bytes: bytes() };
  return claim.documents > 0 || claim.bytes > 0 ? claim : null;
}

/** Claims for {@link claimDocuments}, as JSON: what each account needs in all. */
export function claimRows(claims: readonly DocumentClaim[], mayWait: boolean): string {
  const accounts = new Map<string, DocumentClaim>();
  for (const claim of claims) {
    const { documents = 0, bytes = 0 } = accounts.get(claim.accountId) ?? {};
    accounts.set(claim.accountId, {
      ...claim,
      documents: documents + claim.documents,
      bytes: bytes + Math.max(0, claim.bytes),
    });
  }
  return JSON.stringify(
    [...accounts.values()].map(({ accountId, plan, documents, bytes }) => ({
      account_id: accountId,
      documents,
      bytes,
      max_documents: PLAN_QUOTAS[plan].documents,
      max_bytes: PLAN_QUOTAS[plan].storageBytes,
      may_wait: mayWait,
    })),
  );
}

/**
 * A query of `account_id` and {@link ClaimOutcome}, for {@link claimRows} in a parameter such as `$4`. It takes the lock
 * of each account until the transaction ends and counts after that, so that what is granted has room when it commits.
 * Wait for the locks of one account at most: two calls that hold one each and want the other's would wait for ever.
 */
export const claimDocuments = (placeholder: string) => `
  SELECT account_id, used[1]::float8 AS documents_used, used[2]::float8 AS bytes_used,
         used IS NOT NULL
           AND (documents = 0 OR max_documents IS NULL OR used[1] + documents <= max_documents)
           AND (bytes = 0 OR max_bytes IS NULL OR used[2] + bytes <= max_bytes) AS granted
    FROM (SELECT *, hold_document_quota(account_id, may_wait) AS used
            FROM json_to_recordset(${placeholder}::json) AS item (
              account_id uuid, documents bigint, bytes bigint, max_documents bigint, max_bytes bigint,
              may_wait boolean)) AS claim`;

/** The answer to a claim that was not granted although it waited. */
export function claimRefused(
  { plan, documents, bytes }: DocumentClaim,
  outcome?: ClaimOutcome,
): AppError {
  const limits = PLAN_QUOTAS[plan];
  const documentsUsed = outcome?.documents_used ?? 0;
  const tooMany =
    documents > 0 && limits.documents !== null && documentsUsed + documents > limits.documents;
  return tooMany
    ? quotaExceeded({
        quota: 'documents',
        limit: limits.documents,
        used: documentsUsed,
        plan,
        requested: documents,
      })
    : quotaExceeded({
        quota: 'storageBytes',
        limit: limits.storageBytes ?? 0,
        used: outcome?.bytes_used ?? 0,
        plan,
        requested: bytes,
      });
}
