import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { Account } from '../../auth/accounts/account.js';
import { validName, type AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { localPart, normalizeEmail } from '../../auth/accounts/email-address.js';
import type { MembershipsRepository } from '../../auth/accounts/memberships.repository.js';
import type { UsersRepository } from '../sessions/users/users.repository.js';
import type { Person } from '../../auth/person.js';
import type { Plan } from '../../auth/plan.js';
import { systemContext, type RequestContext } from '../../auth/request-context.js';
import { isAtLeast, type Role } from '../../auth/roles.js';
import type { Clock } from '../../../platform/basics/clock/clock.js';
import type { Database } from '../../../platform/database/database.js';
import { AppError, OperatorError } from '../../../platform/basics/errors/app-error.js';
import {
  decodeId,
  encodeId,
  newUuid,
  uuidOf,
} from '../../../platform/basics/identifiers/identifiers.js';
import {
  emailIsUnverified,
  type UnverifiedUsersService,
} from '../sessions/users/unverified-users.service.js';
import type { AccountService } from './account/account.service.js';
import type { AccountMembersService } from './account-members.service.js';
import { wakeWorkers, type Member } from './members.repository.js';

interface NewAccount {
  email: string;
  name: string | undefined;
  plan: Plan;
  /** Verifies an unverified owner's address. */
  vouch: boolean;
}

/** Accounts and their members, for the operator's command line. Ids are public ids. */
export class OperatorAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly users: UsersRepository,
    private readonly account: AccountService,
    private readonly people: AccountMembersService,
    private readonly unverified: UnverifiedUsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an account, and its owner if the e-mail address is new. Throws `bad_request` for an invalid e-mail or name,
   * and `conflict` for an unverified owner.
   */
  async create({ email: text, name, plan, vouch }: NewAccount): Promise<Account> {
    const email = normalizeEmail(text);
    const accountName = validName(name ?? localPart(email));
    return this.database.transaction(async () => {
      const owner = await this.findOrCreateUser(email, vouch);
      return this.accounts.insertFor(owner, { name: accountName, plan });
    });
  }

  /** Throws `not_found`, and `bad_request` for an invalid name. */
  async rename(id: string, name: string): Promise<Account> {
    const context = await this.contextOf(id);
    await this.account.patch({ name: validName(name) }, context);
    return this.accounts.find(context.principal.accountId);
  }

  /**
   * Suspends or resumes an account. All later requests of a suspended account are refused, and workers skip it. Writes no
   * audit entry if nothing changes. Throws `not_found`.
   */
  async suspend(id: string, isSuspended: boolean): Promise<Account> {
    const context = await this.contextOf(id);
    const { accountId } = context.principal;
    await this.database.transaction(async () => {
      const account = await this.accounts.lock(accountId);
      if ((account.suspendedAt !== null) === isSuspended) return;
      const at = this.clock.now();
      const suspendedAt = isSuspended ? at : null;
      await this.accounts.update(accountId, { suspendedAt });
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: accountId,
        at,
        context,
        details: { suspended: isSuspended },
      });
      if (!isSuspended) await wakeWorkers(this.database);
    });
    return this.accounts.find(accountId);
  }

  /** Throws `not_found`, and `bad_request` unless `name` is the account's. */
  async delete(id: string, name: string): Promise<void> {
    await this.account.delete(name, await this.contextOf(id));
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
   * Adds a member, and creates the user if the e-mail address is new. Throws `not_found`, `bad_request` for an invalid
   * e-mail, and `conflict` for a member or an unverified user.
   */
  async addMember(id: string, text: string, role: Role, vouch: boolean): Promise<Member> {
    const email = normalizeEmail(text);
    const context = await this.contextOf(id);
    const { accountId } = context.principal;
    await this.database.transaction(async () => {
      await this.accounts.lock(accountId);
      const user = await this.findOrCreateUser(email, vouch);
      await this.join(accountId, user, role, context);
    });
    return this.member(accountId, email);
  }

  private async join(
    accountId: string,
    user: Person,
    role: Role,
    context: RequestContext,
  ): Promise<void> {
    const at = this.clock.now();
    const member = { accountId, userId: user.id, role, createdAt: at };
    if (!(await this.members.insert(member))) throw isMember(user.email);
    await insertAuditEntry(this.database, {
      action: 'user.join',
      resourceId: user.id,
      at,
      context,
      details: { role },
    });
  }

  /**
   * Changes a member's role. With `vouch`, a new user with the address takes the place of an unverified member. Throws
   * `not_found`, and `conflict` for the only owner, or if an unverified member would get a higher role.
   */
  async changeRole(id: string, email: string, role: Role, vouch: boolean): Promise<Member> {
    return this.database.transaction(async () => {
      const { member, context } = await this.manage(id, email);
      const isHigher = !isAtLeast(member.role, role);
      if (!member.emailVerified && (isHigher || vouch)) {
        await this.unverified.require(member.email, vouch);
        await this.replace(member, context);
        return this.changeRole(id, member.email, role, false);
      }
      return this.people.changeRole(encodeId('user', member.userId), role, context);
    });
  }

  /** Puts a new user with the address in the place of a member who was set apart. */
  private async replace(
    { userId, email, role }: Member,
    { principal: { accountId } }: RequestContext,
  ): Promise<void> {
    const user = await this.findOrCreateUser(email, false);
    await this.members.delete({ accountId, userId });
    await this.join(accountId, user, role, systemContext('operator', accountId, user));
  }

  /** With `revokeKeys`, the keys that the user created in the account are revoked. Throws like {@link changeRole}. */
  async removeMember(id: string, email: string, revokeKeys: boolean): Promise<Member> {
    const { member, context } = await this.manage(id, email);
    await this.people.remove(encodeId('user', member.userId), revokeKeys, context);
    return member;
  }

  /** Returns a system context that acts for an owner, preferably not the user `unless`. */
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

  /** Finds a member by e-mail address or public id. Throws `OperatorError`. */
  private async member(accountId: string, text: string): Promise<Member> {
    const userId = decodeId('user', text);
    const email = userId ?? normalizeEmail(text);
    const all = await this.people.list(accountId);
    const member = all.find((one) => one.userId === userId || one.email === email);
    if (member) return member;
    throw new OperatorError(
      `There is no such member. To list all members, run: npm run -s cli -- members list ${encodeId('account', accountId)}`,
    );
  }

  /** Verifies the address of a new user, because the operator vouches for it. Throws `conflict` for an unverified user. */
  private async findOrCreateUser(email: string, vouch: boolean): Promise<Person> {
    const now = this.clock.now();
    const name = localPart(email);
    await this.unverified.require(email, vouch);
    const row = { id: newUuid(), email, name, emailVerifiedAt: now, createdAt: now };
    if (await this.accounts.insertUser(row)) return row;
    const user = await this.users.findByEmail(email);
    if (!user?.emailVerifiedAt) throw emailIsUnverified(email);
    return user;
  }
}

function isMember(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} already belongs to the account. To change the role, run: npm run -s cli -- members role`,
  );
}
