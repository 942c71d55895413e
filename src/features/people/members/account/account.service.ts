import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { invalidFields } from '../../../../platform/basics/errors/app-error.js';
import { Database } from '../../../../platform/database/database.js';
import { AccountsRepository } from '../../../auth/accounts/accounts.repository.js';
import type { AccountEntity } from '../../../auth/entities/account.entity.js';
import type { RequestContext } from '../../../auth/request-context.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import { DeletedAccountEntity } from '../entities/deleted-account.entity.js';
import { lockDependents } from './deleted-accounts.repository.js';

/** The fields of an account to change. */
export type AccountPatch = Partial<Pick<AccountEntity, 'name' | 'connectedApps'>>;

/** An account as its members see and change it. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    @InjectRepository(DeletedAccountEntity)
    private readonly deletedAccounts: Repository<DeletedAccountEntity>,
    private readonly clock: Clock,
  ) {}

  /** Throws `not_found`. */
  read(accountId: string): Promise<AccountEntity> {
    return this.accounts.read(accountId);
  }

  /** Changes the account. Missing fields stay unchanged. Writes nothing if nothing changes. */
  async patch(patch: AccountPatch, context: RequestContext): Promise<AccountEntity> {
    return this.database.transaction(async () => {
      const account = await this.accounts.lock(context.principal.accountId);
      const name = patch.name?.trim() ?? account.name;
      const connectedApps = patch.connectedApps ?? account.connectedApps;
      const changes = [
        ...(name === account.name ? [] : ['name']),
        ...(connectedApps === account.connectedApps ? [] : ['connectedApps']),
      ];
      if (changes.length === 0) return account;
      await this.accounts.update(account.id, { name, connectedApps });
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: account.id,
        at: this.clock.now(),
        context,
        details: { changes, ...(changes.includes('connectedApps') && { connectedApps }) },
      });
      return this.read(account.id);
    }, context.caller);
  }

  /**
   * Deletes an account for every later request: its members, keys, webhooks, templates and invitations are gone, and pending
   * deliveries are not sent. Workers remove the rest in batches. Throws `bad_request` unless `typed` is the account's name.
   */
  async delete(typed: string, context: RequestContext): Promise<void> {
    await this.database.transaction(async () => {
      const { id, name } = await this.accounts.lock(context.principal.accountId);
      if (typed !== name) {
        const issue = 'is not the name of this account; type it exactly';
        throw invalidFields([{ field: 'name', issue }]);
      }
      const at = this.clock.now();
      const details = { name };
      const entry = { action: 'account.delete', resourceId: id, at, context, details } as const;
      await insertAuditEntry(this.database, entry);
      // Workers remove what does not cascade.
      await this.deletedAccounts.insert({ accountId: id, deletedAt: at });
      await lockDependents(this.database, id);
      await this.accounts.delete(id);
    }, context.caller);
  }

  /** Hides the first steps for all members of the account. */
  async dismissFirstSteps(accountId: string): Promise<Date> {
    const account = await this.read(accountId);
    const at = account.firstStepsDismissedAt ?? this.clock.now();
    await this.accounts.update(accountId, { firstStepsDismissedAt: at });
    return at;
  }
}
