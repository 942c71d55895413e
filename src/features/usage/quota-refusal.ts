import type { Plan } from '../access/auth/plan.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import type { Quota } from './plan-quotas.js';

/** A quota that has no room for what was asked for. */
interface FullQuota {
  quota: Quota;
  limit: number;
  /** What the account has now. */
  used: number;
  plan: Plan;
  /** How much more was asked for. */
  requested: number;
}

interface Wording {
  /** What is counted, to continue "allows 5 …". */
  things: string;
  /** How to make room. */
  remedy: string;
}

const WORDING: Readonly<Record<Quota, Wording>> = {
  documents: {
    things: 'documents, those in the trash included',
    remedy: 'Delete some for good (permanent=true empties the trash too)',
  },
  storageBytes: {
    things: 'bytes of documents, those in the trash included',
    remedy: 'Shorten some, or delete some for good (permanent=true empties the trash too)',
  },
  webhooks: { things: 'webhooks', remedy: 'Delete one that is not needed any more' },
  keys: { things: 'keys in force', remedy: 'Revoke one that is not needed any more' },
  members: {
    things: 'members, open invitations included',
    remedy: 'Remove one, or take an invitation back',
  },
  analysesPerDay: { things: 'analyses a day (UTC)', remedy: 'Wait until tomorrow' },
  modelTokensPerDay: { things: 'tokens of a model a day (UTC)', remedy: 'Wait until tomorrow' },
};

/** The answer to a change that would bring an account, or bring it further, over a quota of its plan. */
export function quotaExceeded(full: FullQuota): AppError {
  const { quota, limit, used, plan, requested } = full;
  const { things, remedy } = WORDING[quota];
  const more = requested > 1 ? `, and this needs ${inWords(requested)} more` : '';
  const upgrade = plan === 'enterprise' ? '' : ', or move to a larger plan';
  return new AppError(
    'forbidden',
    `The plan ${capitalised(plan)} allows ${inWords(limit)} ${things}; this account has ${inWords(used)}${more}. ${remedy}${upgrade}.`,
    { quota, limit, used, plan, requested },
  );
}

function capitalised(plan: Plan): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

function inWords(number: number): string {
  return number.toLocaleString('en');
}
