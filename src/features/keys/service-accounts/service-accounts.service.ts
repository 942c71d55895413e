import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { MembershipsRepository } from '../../auth/accounts/memberships.repository.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ROLE_SCOPES } from '../../auth/roles.js';
import type { Scope } from '../../auth/scopes.js';
import { missingOf } from '../key-grants.js';
import { KeysService } from '../keys.service.js';
import type { CreateServiceAccountDto, ServiceRole } from './dto/service-account.dto.js';
import { ServiceAccountsRepository, type ServiceAccount } from './service-accounts.repository.js';

/** Maximum number of service accounts of an account. */
const MAX_SERVICE_ACCOUNTS = 50;

/**
 * Service accounts: users that own API keys and never sign in, so that an integration outlives the people who set it up.
 * Each change locks the members of the account, and needs all scopes of the roles before and after it.
 */
@Injectable()
export class ServiceAccountsService {
  constructor(
    private readonly database: Database,
    private readonly repository: ServiceAccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly keys: KeysService,
    private readonly clock: Clock,
  ) {}

  /** Lists the service accounts of an account, oldest first. */
  list(accountId: string): Promise<ServiceAccount[]> {
    return this.repository.list(accountId);
  }

  /** Throws `not_found`, even for a malformed ID. */
  find(accountId: string, id: string): Promise<ServiceAccount> {
    return this.repository.find(accountId, id);
  }

  /** Throws `forbidden` for a role with scopes that the principal does not have, and `conflict` for too many. */
  async create(
    { name, role }: CreateServiceAccountDto,
    context: RequestContext,
  ): Promise<ServiceAccount> {
    const { accountId } = context.principal;
    return this.locked(context, async (principal) => {
      requireRoleScopes(role, principal);
      const all = await this.repository.list(accountId);
      if (all.length >= MAX_SERVICE_ACCOUNTS) throw tooManyServiceAccounts();
      const id = await this.repository.insert(accountId, { name, role }, this.clock.now());
      await this.audit('user.join', id, context, { kind: 'service', name, role });
      return this.find(accountId, encodeId('user', id));
    });
  }

  /**
   * Changes the name and the role, effective from the next request of its keys. Writes nothing if nothing changes. Throws
   * `not_found`, and `forbidden` if the present or the new role has scopes that the principal does not have.
   */
  async change(
    publicId: string,
    patch: Partial<CreateServiceAccountDto>,
    context: RequestContext,
  ): Promise<ServiceAccount> {
    const { accountId } = context.principal;
    return this.locked(context, async (principal) => {
      const before = await this.find(accountId, publicId);
      const { name = before.name, role = before.role } = patch;
      requireRoleScopes(before.role, principal);
      requireRoleScopes(role, principal);
      if (name !== before.name) {
        await this.repository.rename(before.id, name);
        await this.audit('user.rename', before.id, context, { from: before.name, to: name });
      }
      if (role !== before.role) {
        await this.members.updateRole({ accountId, userId: before.id }, role);
        await this.audit('user.update_role', before.id, context, { from: before.role, to: role });
      }
      return { ...before, name, role };
    });
  }

  /**
   * Deletes a service account and revokes its keys. What it wrote keeps its name. Throws `not_found`, and `forbidden` if its
   * role has scopes that the principal does not have.
   */
  async delete(publicId: string, context: RequestContext): Promise<void> {
    const { accountId } = context.principal;
    await this.locked(context, async (principal) => {
      const { id, role } = await this.find(accountId, publicId);
      requireRoleScopes(role, principal);
      await this.members.delete({ accountId, userId: id });
      await this.audit('user.remove', id, context, { kind: 'service', role, revokeKeys: true });
      await this.keys.revokeAllOf(id, context);
    });
  }

  /** Runs `work` with the principal as it is now, while the members of the account are locked. */
  private locked<Result>(
    { principal, caller }: RequestContext,
    work: (principal: Principal) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(
      async () => work(await this.repository.lockFor(principal)),
      caller,
      principal.accountId,
    );
  }

  private async audit(
    action: Extract<AuditAction, `user.${string}`>,
    resourceId: string,
    context: RequestContext,
    details: Record<string, unknown>,
  ): Promise<void> {
    const at = this.clock.now();
    await insertAuditEntry(this.database, { action, resourceId, at, context, details });
  }
}

function requireRoleScopes(role: ServiceRole, { scopes, kind }: Principal): void {
  if (missingOf(ROLE_SCOPES[role], scopes) !== '') throw roleNotHeld(role, scopes, kind);
}

/** Returns the error for creating, changing or deleting a service account with more permissions than the caller. */
export function roleNotHeld(
  role: ServiceRole,
  granted: readonly Scope[],
  kind: Principal['kind'] = 'key',
): AppError {
  const requested: readonly Scope[] = ROLE_SCOPES[role];
  const missing = missingOf(requested, granted);
  const caller = kind === 'person' ? 'your role in this account' : 'this API key';
  return new AppError(
    'forbidden',
    `A service account with the role ${role} has scopes that ${caller} does not have: ${missing}. Choose a lower role, or use a key that has these scopes.`,
    { requiredScopes: requested, grantedScopes: granted },
  );
}

export function tooManyServiceAccounts(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_SERVICE_ACCOUNTS)} service accounts, which is the maximum. Delete one that is no longer used, or create another key for an existing one.`,
  );
}
