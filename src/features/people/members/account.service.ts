import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit-entry.js';
import { AccountEntity } from '../../access/auth/entities/account.entity.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { DeletedAccountEntity } from './entities/deleted-account.entity.js';
import { lockAccount } from './lock-account.js';

/**
 * What goes with an account, in the order in which others lock it: keys before the account that their successors refer to,
 * webhooks by id, and the turns of claims by key.
 */
const LOCK_PARTS: readonly Statement[] = [
  {
    name: 'accounts.lock-keys',
    text: 'SELECT id FROM api_keys WHERE account_id = $1 ORDER BY id FOR UPDATE',
  },
  {
    name: 'accounts.lock-webhooks',
    text: 'SELECT id FROM webhooks WHERE account_id = $1 ORDER BY id FOR UPDATE',
  },
  {
    name: 'accounts.lock-claims',
    text: `SELECT pg_advisory_xact_lock(key)
             FROM (SELECT hashtextextended(id::text, 0) AS key FROM webhooks WHERE account_id = $1 ORDER BY key) AS locks`,
  },
];

/** An account as its own people see and change it. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Throws `not_found`. */
  async read(accountId: string): Promise<AccountEntity> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) throw notFound('account');
    return account;
  }

  /** Renames the account if the patch has a name. Writes nothing if nothing changes. */
  async patch({ name }: { name?: string }, context: RequestContext): Promise<AccountEntity> {
    const { accountId } = context.principal;
    return name === undefined ? this.read(accountId) : this.rename(name, context);
  }

  async rename(text: string, context: RequestContext): Promise<AccountEntity> {
    const name = text.trim();
    return this.database.transaction(async () => {
      const account = await lockAccount(this.database, context.principal.accountId);
      if (account.name === name) return account;
      await this.accounts.update({ id: account.id }, { name });
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: account.id,
        at: this.clock.now(),
        context,
        details: { changes: ['name'] },
      });
      return this.read(account.id);
    }, context.caller);
  }

  /**
   * Ends an account for every request that begins after this: its people, keys, webhooks, templates and invitations are
   * gone, and nothing pending is sent any more. Workers remove the rest bit by bit. Throws `bad_request` unless `typed` is
   * its name.
   */
  async delete(typed: string, context: RequestContext): Promise<void> {
    await this.database.transaction(async () => {
      const { id, name } = await lockAccount(this.database, context.principal.accountId);
      if (typed !== name) {
        throw invalidFields([
          { field: 'name', issue: 'is not the name of this account; type it as it is written' },
        ]);
      }
      const at = this.clock.now();
      const entry = {
        action: 'account.delete',
        resourceId: id,
        at,
        context,
        details: { name },
      } as const;
      await insertAuditEntry(this.database, entry);
      await this.database.repository(DeletedAccountEntity).insert({ accountId: id, deletedAt: at });
      for (const statement of LOCK_PARTS) await this.database.run(statement, [id]);
      await this.accounts.delete({ id });
    }, context.caller);
  }

  /** Puts the first steps aside for everybody in the account. */
  async dismissFirstSteps(accountId: string): Promise<Date> {
    const account = await this.read(accountId);
    const at = account.firstStepsDismissedAt ?? this.clock.now();
    await this.accounts.update({ id: accountId }, { firstStepsDismissedAt: at });
    return at;
  }

  private get accounts() {
    return this.database.repository(AccountEntity);
  }
}
