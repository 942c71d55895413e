import { auditRow, insertAuditEntries } from '../audit/audit-entry.js';
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_OWNER_JOINS,
  fromRow,
  type Account,
  type AccountRow,
} from '../auth/accounts/account.js';
import { WINDOWS, type Plan, type WindowLimits } from '../auth/plan.js';
import type { Clock } from '../clock/clock.js';
import type { Database, Statement } from '../database/database.js';
import { invalidFields, notFound, type FieldProblem } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';

/** What is as it was changes nothing, and leaves no entry. */
const SET_PLAN: Statement = {
  name: 'accounts.set-plan',
  text: `WITH old AS (
           SELECT * FROM accounts WHERE id = $1 FOR UPDATE
         ), changed AS (
           UPDATE accounts SET plan = $2, minute_limit = $3, hour_limit = $4, day_limit = $5 FROM old
            WHERE accounts.id = old.id
              AND (old.plan, old.minute_limit, old.hour_limit, old.day_limit) IS DISTINCT FROM ($2, $3::int, $4::int, $5::int)
           RETURNING accounts.*
         ), audited AS (${insertAuditEntries('$6', 'WHERE EXISTS (SELECT FROM changed)')}
         ), account AS (
           SELECT * FROM changed UNION ALL SELECT * FROM old WHERE NOT EXISTS (SELECT FROM changed)
         )
         SELECT ${ACCOUNT_COLUMNS} FROM account ${ACCOUNT_OWNER_JOINS}`,
};

/** The largest number the columns hold. */
const MAX_LIMIT = 2_147_483_647;

/** What accounts are on, for the operator: nobody changes a plan over HTTP yet. */
export class AccountPlans {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts an account on a plan from its next request on. Enterprise takes the account's own limits, and a window that is
   * left out is unlimited; the numbers it had before are forgotten. Throws `not_found` or `bad_request`.
   */
  async set(id: string, plan: Plan, limits: Partial<WindowLimits> = {}): Promise<Account> {
    const [first, ...rest] = limitProblems(plan, limits);
    if (first) throw invalidFields([first, ...rest]);
    const accountId = uuidOf('account', id);
    const numbers = WINDOWS.map((window) => limits[window] ?? null);
    const entry = auditRow({
      action: 'account.update',
      resourceId: accountId,
      at: this.clock.now(),
      cause: { accountId, by: 'operator' },
      details: { plan, ...limits },
    });
    const values = [accountId, plan, ...numbers, JSON.stringify([entry])];
    const [row] = await this.database.run<AccountRow>(SET_PLAN, values);
    if (!row) throw notFound('account');
    return fromRow(row);
  }
}

function limitProblems(plan: Plan, limits: Partial<WindowLimits>): FieldProblem[] {
  return WINDOWS.flatMap((field) => {
    const limit = limits[field] ?? null;
    if (limit === null) return [];
    if (plan !== 'enterprise')
      return [{ field, issue: 'goes only with the plan enterprise; leave it out' }];
    if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return [];
    return [{ field, issue: `must be a whole number from 1 to ${String(MAX_LIMIT)}` }];
  });
}
