import type { Plan, WindowLimits } from '../plan.js';

/** An account with the user who owns it. Ids are UUIDs. */
export interface Account {
  id: string;
  name: string;
  plan: Plan;
  /** The account's own limits on Enterprise, `null` in a window that has none; `null` on every other plan. */
  customLimits: WindowLimits | null;
  createdAt: Date;
  owner: { id: string; name: string; email: string };
}

/** A row of accounts with its owner. */
export interface AccountRow {
  id: string;
  name: string;
  plan: Plan;
  minute_limit: number | null;
  hour_limit: number | null;
  day_limit: number | null;
  created_at: Date;
  owner_id: string;
  owner_name: string;
  owner_email: string;
}

/** Columns of `account` and `owner`. */
export const ACCOUNT_COLUMNS = `account.id, account.name, account.plan, account.minute_limit, account.hour_limit,
  account.day_limit, account.created_at, owner.id AS owner_id, owner.name AS owner_name, owner.email AS owner_email`;

export const ACCOUNT_OWNER_JOINS = `JOIN members AS member ON member.account_id = account.id AND member.role = 'owner'
  JOIN users AS owner ON owner.id = member.user_id`;

/** An account as the product knows it. */
export function fromRow(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    customLimits:
      row.plan === 'enterprise'
        ? { minute: row.minute_limit, hour: row.hour_limit, day: row.day_limit }
        : null,
    createdAt: row.created_at,
    owner: { id: row.owner_id, name: row.owner_name, email: row.owner_email },
  };
}
