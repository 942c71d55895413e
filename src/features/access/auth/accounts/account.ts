import type { AccountEntity } from '../entities/account.entity.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Person } from '../person.js';
import type { Plan, WindowLimits } from '../plan.js';

/** An account with the user who owns it. Ids are UUIDs. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
  /** The account's own limits on Enterprise, `null` in a window that has none; `null` on every other plan. */
  customLimits: WindowLimits | null;
  createdAt: Date;
  /** Since when the operator has it suspended. */
  suspendedAt: Date | null;
  owner: Person;
}

/** The answer to every request to an account that the operator has suspended. */
export function accountIsSuspended(): AppError {
  return new AppError(
    'forbidden',
    'This account is suspended: nothing of it is read or changed until its operator resumes it. Ask the operator of this service.',
    { reason: 'account_suspended' },
  );
}

/** What an account's row says of its limits. */
export type PlanColumns = Pick<AccountEntity, 'plan' | 'minuteLimit' | 'hourLimit' | 'dayLimit'>;

/** The account's own limits, which only Enterprise has. */
export function customLimitsOf(row: PlanColumns): WindowLimits | null {
  if (row.plan !== 'enterprise') return null;
  return { minute: row.minuteLimit, hour: row.hourLimit, day: row.dayLimit };
}

/** The account of its owner, read with both relations. */
export function accountOf({ account, user }: { account: AccountEntity; user: Person }): Account {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    customLimits: customLimitsOf(account),
    createdAt: account.createdAt,
    suspendedAt: account.suspendedAt,
    owner: { id: user.id, name: user.name, email: user.email },
  };
}
