import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId, newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { SERVICE_DOMAIN } from '../../auth/accounts/email-address.js';
import { MembershipsRepository } from '../../auth/accounts/memberships.repository.js';
import { UserEntity } from '../../auth/entities/user.entity.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { Principal } from '../../auth/principal.js';
import { ROLE_SCOPES } from '../../auth/roles.js';
import { commonScopes } from '../../auth/scopes.js';
import type { ServiceRole } from './dto/service-account.dto.js';

/** A service account of an account. The id is a UUID. */
export interface ServiceAccount {
  id: string;
  name: string;
  email: string;
  role: ServiceRole;
  createdAt: Date;
  activeKeys: number;
  /** When any of its keys was last used. */
  lastUsedAt: Date | null;
}

const LIST: Statement = {
  name: 'service-accounts.list',
  text: `SELECT service.id, service.name, service.email, member.role, service.created_at AS "createdAt",
                keys.active AS "activeKeys", keys.last_used_at AS "lastUsedAt"
           FROM members AS member JOIN users AS service ON service.id = member.user_id AND service.kind = 'service'
          CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()))::integer AS active,
                   max(last_used_at) AS last_used_at
              FROM api_keys WHERE account_id = member.account_id AND user_id = member.user_id) AS keys
          WHERE member.account_id = $1 ORDER BY service.created_at, service.id`,
};

/** Stored service accounts. Ids are UUIDs, unless they are called public. */
@Injectable()
export class ServiceAccountsRepository {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
  ) {}

  /** Lists the service accounts of an account, oldest first. */
  list(accountId: string): Promise<ServiceAccount[]> {
    return this.database.run<ServiceAccount>(LIST, [accountId]);
  }

  /** Finds a service account by its public ID. Throws `not_found`, even for a malformed ID. */
  async find(accountId: string, publicId: string): Promise<ServiceAccount> {
    const id = uuidOf('user', publicId);
    const found = (await this.list(accountId)).find((one) => one.id === id);
    if (!found) throw notFound('service account');
    return found;
  }

  /**
   * Locks the members of the account until the transaction ends, and returns the principal with the scopes that its role
   * grants now: a request can wait for its body while somebody lowers the role. Throws `not_found` for a former member, and
   * `forbidden` for one who can no longer change keys.
   */
  async lockFor(principal: Principal): Promise<Principal> {
    const { accountId, user } = principal;
    await this.accounts.lock(accountId);
    if (principal.kind === 'system') return principal;
    const role = await this.members.roleOf(user.id, accountId);
    if (role === undefined) throw notFound('account');
    const current = { ...principal, scopes: commonScopes(principal.scopes, ROLE_SCOPES[role]) };
    requireScope(current, 'keys:write');
    return current;
  }

  /** Inserts a service account, in the caller's transaction. Returns its UUID. */
  async insert(
    accountId: string,
    { name, role }: Pick<ServiceAccount, 'name' | 'role'>,
    createdAt: Date,
  ): Promise<string> {
    const id = newUuid();
    const email = `${encodeId('user', id)}@${SERVICE_DOMAIN}`;
    await this.users.insert({ id, email, name, kind: 'service', createdAt });
    await this.members.insert({ accountId, userId: id, role, createdAt });
    return id;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.users.update({ id, kind: 'service' }, { name });
  }
}
