import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import { AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { MembershipsRepository } from '../../auth/accounts/memberships.repository.js';
import type { MemberEntity } from '../../auth/entities/member.entity.js';
import type { RequestContext } from '../../auth/request-context.js';
import { isAtLeast, ROLES, type Role } from '../../auth/roles.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { KeysService } from '../../keys/keys.service.js';
import { OneTimeLinksRepository } from '../sessions/links/one-time-links.repository.js';
import { SessionsRepository } from '../sessions/session/sessions.repository.js';
import { listMembers, type Member } from './members.repository.js';

/**
 * The members of an account. Each change locks the account before it reads the roles. The second of two concurrent
 * changes therefore sees the result of the first, and no account is left without an owner.
 */
@Injectable()
export class AccountMembersService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly keys: KeysService,
    private readonly sessions: SessionsRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly clock: Clock,
  ) {}

  /** Lists all members, highest role first. */
  list(accountId: string): Promise<Member[]> {
    return listMembers(this.database, accountId);
  }

  /**
   * Changes a member's role, effective from the next request. Revokes the member's pending invitations to roles that the
   * new role cannot manage. Throws `not_found`, `forbidden` if the requester's role is too low, and `conflict` for the
   * only owner.
   */
  async changeRole(userId: string, role: Role, context: RequestContext): Promise<Member> {
    const { accountId, user } = context.principal;
    return this.locked(context, async () => {
      const { actor, member, owners } = await this.read(accountId, user.id, userId);
      requireManageable(actor.role, member.role);
      requireManageable(actor.role, role);
      if (member.role === 'owner' && role !== 'owner' && owners === 1) throw onlyOwner();
      if (member.role !== role) {
        await this.members.updateRole(member, role);
        const invitationsRevoked = await this.revokeInvitations(member, role);
        await insertAuditEntry(this.database, {
          action: 'user.update_role',
          resourceId: member.userId,
          at: this.clock.now(),
          context,
          details: { from: member.role, to: role, invitationsRevoked },
        });
      }
      const changed = (await this.list(accountId)).find((one) => one.userId === member.userId);
      if (!changed) throw notFound('member');
      return changed;
    });
  }

  /**
   * Removes a member, who may be the requester. Their streams end within a second, and so do their sessions if they
   * belong to no other account. Their pending invitations are revoked, so none can be used to return. With `revokeKeys`,
   * the keys that the member created in the account are revoked; otherwise they remain. Throws like {@link changeRole}.
   */
  async remove(userId: string, revokeKeys: boolean, context: RequestContext): Promise<void> {
    const { accountId, user } = context.principal;
    await this.locked(context, async () => {
      const { actor, member, owners } = await this.read(accountId, user.id, userId);
      const leaves = actor.userId === member.userId;
      if (!leaves) requireManageable(actor.role, member.role);
      if (member.role === 'owner' && owners === 1) throw onlyOwner();
      await this.members.delete(member);
      const invitationsRevoked = await this.revokeInvitations(member, undefined);
      await insertAuditEntry(this.database, {
        action: leaves ? 'user.leave' : 'user.remove',
        resourceId: member.userId,
        at: this.clock.now(),
        context,
        details: { role: member.role, revokeKeys, invitationsRevoked },
      });
      if (revokeKeys) await this.keys.revokeAllOf(member.userId, context);
      const others = await this.members.accountIdsOf(member.userId);
      if (!leaves && others.length === 0) await this.sessions.endAll(member.userId);
    });
  }

  /** Revokes the member's invitations to roles that `role`, or a removed member, cannot manage. Returns their number. */
  private revokeInvitations(
    { accountId, userId }: MemberEntity,
    role: Role | undefined,
  ): Promise<number> {
    const unmanageable = ROLES.filter((one) => role === undefined || !manages(role, one));
    return this.links.revokeInvitationsBy(accountId, userId, unmanageable);
  }

  /** Runs `work` while the members of the account are locked. */
  private locked<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
    const { accountId } = context.principal;
    return this.database.transaction(
      async () => {
        await this.accounts.lock(accountId);
        return work();
      },
      context.caller,
      accountId,
    );
  }

  /** Reads the current rows of the requester and the member. Throws `not_found` if either is not a member. */
  private async read(
    accountId: string,
    actorId: string,
    publicId: string,
  ): Promise<{ actor: MemberEntity; member: MemberEntity; owners: number }> {
    const memberId = uuidOf('user', publicId);
    const all = await this.members.list(accountId);
    const actor = all.find(({ userId }) => userId === actorId);
    const member = all.find(({ userId }) => userId === memberId);
    if (!actor) throw notFound('account');
    if (!member) throw notFound('member');
    return { actor, member, owners: all.filter(({ role }) => role === 'owner').length };
  }
}

/**
 * True if `actor` can invite, change and remove people with this role. Owners can manage everyone, admins those below them.
 */
function manages(actor: Role, role: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && !isAtLeast(role, 'admin'));
}

/** Throws `forbidden` unless `actor` {@link manages} people with this role. */
export function requireManageable(actor: Role, role: Role): void {
  if (manages(actor, role)) return;
  throw new AppError(
    'forbidden',
    actor === 'admin'
      ? 'Admins can manage members and viewers only. Ask an owner of the account to manage owners and admins.'
      : `Your role in this account is ${actor}. Only owners and admins can manage people; ask one of them.`,
    { requiredRoles: isAtLeast(role, 'admin') ? ['owner'] : ['owner', 'admin'], role: actor },
  );
}

export function onlyOwner(): AppError {
  return new AppError(
    'conflict',
    'This is the only owner of the account. Make another member an owner first, or delete the account.',
    { code: 'only owner' },
  );
}
