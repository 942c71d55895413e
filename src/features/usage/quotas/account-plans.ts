import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { Account, PlanColumns } from '../../auth/accounts/account.js';
import type { AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { systemContext } from '../../auth/request-context.js';
import { WINDOWS, type Plan, type WindowLimits } from '../../auth/plan.js';
import type { Clock } from '../../../platform/basics/clock/clock.js';
import type { Database } from '../../../platform/database/database.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';

/** Maximum value of the integer columns. */
const MAX_LIMIT = 2_147_483_647;

/** Changes plans for the operator. There is no route for this. */
export class AccountPlans {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the plan of an account, effective from its next request. `limits` are the limits of an Enterprise account and
   * replace earlier ones. A window without a limit is unlimited. A call that changes nothing writes no audit entry.
   * Throws `not_found` or `bad_request`.
   */
  async set(id: string, plan: Plan, limits: Partial<WindowLimits> = {}): Promise<Account> {
    const [first, ...rest] = limitProblems(plan, limits);
    if (first) throw invalidFields([first, ...rest]);
    const accountId = uuidOf('account', id);
    const { minute: minuteLimit = null, hour: hourLimit = null, day: dayLimit = null } = limits;
    const wanted: PlanColumns = { plan, minuteLimit, hourLimit, dayLimit };
    return this.database.transaction(async () => {
      const row = await this.accounts.lock(accountId);
      if (COLUMNS.some((column) => row[column] !== wanted[column])) {
        const { owner } = await this.accounts.find(accountId);
        await this.accounts.update(accountId, wanted);
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
    if (plan !== 'enterprise') return [{ field, issue: 'requires the plan enterprise; omit it' }];
    if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return [];
    return [{ field, issue: `must be a whole number from 1 to ${String(MAX_LIMIT)}` }];
  });
}
