import { insertAuditEntry } from '../audit/audit.repository.js';
import type { Account, PlanColumns } from '../access/auth/accounts/account.js';
import type { AccountRepository } from '../access/auth/accounts/accounts.repository.js';
import { systemContext } from '../access/auth/request-context.js';
import { AccountEntity } from '../access/auth/entities/account.entity.js';
import { WINDOWS, type Plan, type WindowLimits } from '../access/auth/plan.js';
import type { Clock } from '../../platform/basics/clock/clock.js';
import type { Database } from '../../platform/database/database.js';
import {
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';

/** The largest number the columns hold. */
const MAX_LIMIT = 2_147_483_647;

/** What accounts are on, for the operator: nobody changes a plan over HTTP yet. */
export class AccountPlans {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Puts an account on a plan from its next request on. Enterprise takes the account's own limits, and a window that is
   * left out is unlimited; the numbers it had before are forgotten. What is as it was leaves no audit entry. Throws
   * `not_found` or `bad_request`.
   */
  async set(id: string, plan: Plan, limits: Partial<WindowLimits> = {}): Promise<Account> {
    const [first, ...rest] = limitProblems(plan, limits);
    if (first) throw invalidFields([first, ...rest]);
    const accountId = uuidOf('account', id);
    const { minute: minuteLimit = null, hour: hourLimit = null, day: dayLimit = null } = limits;
    const wanted: PlanColumns = { plan, minuteLimit, hourLimit, dayLimit };
    return this.database.transaction(async () => {
      const rows = this.database.repository(AccountEntity);
      const lock = { mode: 'pessimistic_write' } as const;
      const row = await rows.findOne({ where: { id: accountId }, lock });
      if (!row) throw notFound('account');
      if (COLUMNS.some((column) => row[column] !== wanted[column])) {
        const { owner } = await this.accounts.find(accountId);
        await rows.update({ id: accountId }, wanted);
        await insertAuditEntry(this.database, {
          action: 'account.update',
          resourceId: accountId,
          at: this.clock.now(),
          context: systemContext('operator', accountId, owner),
          details: { plan, ...limits },
        });
      }
      return this.accounts.find(accountId);
    });
  }
}

const COLUMNS = [
  'plan',
  'minuteLimit',
  'hourLimit',
  'dayLimit',
] as const satisfies (keyof PlanColumns)[];

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
