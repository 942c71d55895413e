import type { Plan } from '../../auth/plan.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { Quota } from './plan-quotas.js';

/** A request that would exceed a quota. */
interface FullQuota {
  quota: Quota;
  limit: number;
  /** Current use. */
  used: number;
  plan: Plan;
  /** Additional use that was requested. */
  requested: number;
}

interface Wording {
  /** Completes the sentence "The Free plan allows 5 …". */
  things: string;
  /** How to reduce the use. */
  remedy: string;
}

const WORDING: Readonly<Record<Quota, Wording>> = {
  documents: {
    things: 'documents, including those in the trash',
    remedy: 'Permanently delete some (permanent=true also empties the trash)',
  },
  storageBytes: {
    things: 'bytes of documents, including those in the trash',
    remedy: 'Shorten some, or permanently delete some (permanent=true also empties the trash)',
  },
  webhooks: { things: 'webhooks', remedy: 'Delete one that you no longer need' },
  keys: { things: 'active keys', remedy: 'Revoke one that you no longer need' },
  members: {
    things: 'members, including pending invitations',
    remedy: 'Remove one, or revoke an invitation',
  },
  analysesPerDay: { things: 'analyses per day (UTC)', remedy: 'Wait until tomorrow' },
  modelTokensPerDay: {
    things: 'language model tokens per day (UTC)',
    remedy: 'Wait until tomorrow',
  },
  checkCharactersPerDay: {
    things: 'characters per day (UTC) for the checker in editors',
    remedy: 'Wait until tomorrow',
  },
};

export function quotaExceeded(full: FullQuota): AppError {
  const { quota, limit, used, plan, requested } = full;
  const { things, remedy } = WORDING[quota];
  const more = requested > 1 ? `, and this request needs ${inWords(requested)} more` : '';
  const upgrade = plan === 'enterprise' ? '' : ', or move to a larger plan';
  return new AppError(
    'forbidden',
    `The ${capitalized(plan)} plan allows ${inWords(limit)} ${things}; this account has ${inWords(used)}${more}. ${remedy}${upgrade}.`,
    { quota, limit, used, plan, requested },
  );
}

function capitalized(plan: Plan): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

function inWords(number: number): string {
  return number.toLocaleString('en');
}
