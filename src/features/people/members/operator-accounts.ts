import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { Account } from '../../access/auth/accounts/account.js';
import {
  insertAccountOf,
  validName,
  type AccountRepository,
} from '../../access/auth/accounts/accounts.repository.js';
import { localPart, normalizeEmail } from '../../access/auth/accounts/email-address.js';
import { AccountEntity } from '../../access/auth/entities/account.entity.js';
import { MemberEntity } from '../../access/auth/entities/member.entity.js';
import { UserEntity } from '../../access/auth/entities/user.entity.js';
import type { Person } from '../../access/auth/person.js';
import type { Plan } from '../../access/auth/plan.js';
import { systemContext, type RequestContext } from '../../access/auth/request-context.js';
import { isAtLeast, type Role } from '../../access/auth/roles.js';
import type { Clock } from '../../../platform/basics/clock/clock.js';
import type { Database, Statement } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { OperatorError } from '../../../platform/basics/errors/operator-error.js';
import {
  decodeId,
  encodeId,
  newUuid,
  uuidOf,
} from '../../../platform/basics/identifiers/identifiers.js';
import type { UnverifiedUsers } from '../sessions/users/unverified-users.js';
import { AccountService } from './account/account.service.js';
import { AccountMembersService, type Member } from './account-members.service.js';
import { lockAccount } from '../../access/auth/accounts/accounts.repository.js';

/** At the commit: what has waited is due. */
const WAKE_WORKERS: Statement = {
  name: 'accounts.wake-workers',
  text: `SELECT pg_notify('webhook_deliveries', ''), pg_notify('jobs', '')`,
};

interface NewAccount {
  email: string;
  name: string | undefined;
  plan: Plan;
  /** Verifies the address of an owner who is unverified. */
  vouch: boolean;
}

/** Accounts and their people, for the operator at the command line. Ids are public ones. */
export class OperatorAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly people: AccountMembersService,
    private readonly unverified: UnverifiedUsers,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an account; its owner too, when the e-mail is new. Throws `bad_request` for a wrong e-mail or name, and
   * `conflict` for an unverified owner.
   */
  async create({ email: text, name, plan, vouch }: NewAccount): Promise<Account> {
    const email = normalizeEmail(text);
    const accountName = validName(name ?? localPart(email));
    return this.database.transaction(async () => {
      const owner = await this.findOrCreateUser(email, vouch);
      const at = this.clock.now();
      return insertAccountOf(this.database, owner, { name: accountName, plan }, at);
    });
  }

  /** Throws `not_found`, and `bad_request` for a wrong name. */
  async rename(id: string, name: string): Promise<Account> {
    const context = await this.contextOf(id);
    await new AccountService(this.database, this.clock).rename(validName(name), context);
    return this.accounts.find(context.principal.accountId);
  }

  /**
   * Refuses every request to the account that begins after this, and has workers do nothing for it; or ends that. What is
   * as it was leaves no audit entry. Throws `not_found`.
   */
  async suspend(id: string, isSuspended: boolean): Promise<Account> {
    const context = await this.contextOf(id);
    const { accountId } = context.principal;
    await this.database.transaction(async () => {
      const account = await lockAccount(this.database, accountId);
      if ((account.suspendedAt !== null) === isSuspended) return;
      const at = this.clock.now();
      const suspendedAt = isSuspended ? at : null;
      await this.database.repository(AccountEntity).update({ id: accountId }, { suspendedAt });
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: accountId,
        at,
        context,
        details: { suspended: isSuspended },
      });
      if (!isSuspended) await this.database.run(WAKE_WORKERS, []);
    });
    return this.accounts.find(accountId);
  }

  /** Throws `not_found`, and `bad_request` unless `name` is the account's. */
  async delete(id: string, name: string): Promise<void> {
    await new AccountService(this.database, this.clock).delete(name, await this.contextOf(id));
  }

  /** Throws `not_found`. */
  async find(id: string): Promise<Account> {
    return this.accounts.find(uuidOf('account', id));
  }

  async listMembers(id: string): Promise<Member[]> {
    const { id: accountId } = await this.find(id);
    return this.people.list(accountId);
  }

  /**
   * Makes a member; a user too, when the e-mail is new. Throws `not_found`, `bad_request` for a wrong e-mail, and
   * `conflict` for who is a member already or is unverified.
   */
  async addMember(id: string, text: string, role: Role, vouch: boolean): Promise<Member> {
    const email = normalizeEmail(text);
    const context = await this.contextOf(id);
    const { accountId } = context.principal;
    await this.database.transaction(async () => {
      await lockAccount(this.database, accountId);
      const user = await this.findOrCreateUser(email, vouch);
      const rows = this.database.repository(MemberEntity);
      const row = { accountId, userId: user.id };
      if (await rows.existsBy(row)) throw isMember(email);
      const at = this.clock.now();
      await rows.insert({ ...row, role, createdAt: at });
      await insertAuditEntry(this.database, {
        action: 'user.join',
        resourceId: user.id,
        at,
        context,
        details: { role },
      });
    });
    return this.member(accountId, email);
  }

  /** Throws `not_found`, and `conflict` for the only owner, or an unverified member who would get a higher role. */
  async changeRole(id: string, email: string, role: Role, vouch: boolean): Promise<Member> {
    const { member, context } = await this.manage(id, email);
    const isHigher = !isAtLeast(member.role, role);
    if (isHigher || vouch) await this.unverified.require(member.email, vouch);
    return this.people.changeRole(encodeId('user', member.userId), role, context);
  }

  /** With `revokeKeys` the keys end that this user made in the account. Throws as {@link changeRole} does. */
  async removeMember(id: string, email: string, revokeKeys: boolean): Promise<Member> {
    const { member, context } = await this.manage(id, email);
    await this.people.remove(encodeId('user', member.userId), revokeKeys, context);
    return member;
  }

  /** The system in an account, acting for its owner; `unless` that is the member who is meant and there is another. */
  private async contextOf(id: string, unless?: string): Promise<RequestContext> {
    const { id: accountId, owner } = await this.find(id);
    const owners = (await this.people.list(accountId)).filter(({ role }) => role === 'owner');
    const other = owners.find(({ userId }) => userId !== unless);
    const user = other ? { id: other.userId, name: other.name, email: other.email } : owner;
    return systemContext('operator', accountId, user);
  }

  private async manage(
    id: string,
    text: string,
  ): Promise<{ member: Member; context: RequestContext }> {
    const { id: accountId } = await this.find(id);
    const member = await this.member(accountId, text);
    return { member, context: await this.contextOf(id, member.userId) };
  }

  /** By e-mail address or public id. Throws `OperatorError`. */
  private async member(accountId: string, text: string): Promise<Member> {
    const userId = decodeId('user', text);
    const email = userId ?? normalizeEmail(text);
    const all = await this.people.list(accountId);
    const member = all.find((one) => one.userId === userId || one.email === email);
    if (member) return member;
    throw new OperatorError(
      `No such member. See who there is: npm run -s cli -- members list ${encodeId('account', accountId)}`,
    );
  }

  /** The operator vouches for the address of a user whom they create. Throws `conflict` for an unverified user. */
  private async findOrCreateUser(email: string, vouch: boolean): Promise<Person> {
    const users = this.database.repository(UserEntity);
    const now = this.clock.now();
    const name = localPart(email);
    const row = { id: newUuid(), email, name, emailVerifiedAt: now, createdAt: now };
    const insert = users.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false);
    await insert.execute();
    await this.unverified.require(email, vouch);
    return users.findOneByOrFail({ email });
  }
}

function isMember(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} belongs to the account already. For another role: npm run -s cli -- members role`,
  );
}
