import type { AccountEntity } from '../entities/account.entity.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { Person } from '../person.js';
import type { Plan, WindowLimits } from '../plan.js';

/** An account and its owner. Ids are UUIDs. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
  /** The account's own limits on Enterprise (`null` window: unlimited); `null` on every other plan. */
  customLimits: WindowLimits | null;
  createdAt: Date;
  /** When the operator suspended the account. */
  suspendedAt: Date | null;
  owner: Person;
}

export function accountIsSuspended(): AppError {
  return new AppError(
    'forbidden',
    'This account is suspended: it cannot be read or changed. Ask the operator of this service to resume it.',
    { reason: 'account_suspended' },
  );
}

/** The columns that determine an account's limits. */
export type PlanColumns = Pick<AccountEntity, 'plan' | 'minuteLimit' | 'hourLimit' | 'dayLimit'>;

/** Returns the account's own limits, which only Enterprise has. */
export function customLimitsOf(row: PlanColumns): WindowLimits | null {
  if (row.plan !== 'enterprise') return null;
  return { minute: row.minuteLimit, hour: row.hourLimit, day: row.dayLimit };
}

/** Builds an account from an owner's row that was read with both relations. */
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
