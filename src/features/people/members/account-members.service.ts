import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { MemberEntity } from '../../access/auth/entities/member.entity.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { isAtLeast, ROLES, type Role } from '../../access/auth/roles.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { KeysService } from '../../keys/keys.service.js';
import { OneTimeLinkRepository } from '../sessions/links/one-time-links.repository.js';
import { SessionRepository } from '../sessions/session/sessions.repository.js';
import { lockAccount } from '../../access/auth/accounts/accounts.repository.js';

/** A member as others of the account see one. The id is a UUID. */
export interface Member {
  userId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  role: Role;
  joinedAt: Date;
  /** When any of the user's sessions was used last; `null` for one who has none. */
  lastSeenAt: Date | null;
  twoFactor: boolean;
}

const LIST: Statement = {
  name: 'members.list',
  text: `SELECT person.id AS "userId", person.name, person.email,
                person.email_verified_at IS NOT NULL AS "emailVerified", member.role, member.created_at AS "joinedAt",
                (SELECT max(seen_at) FROM sessions WHERE user_id = person.id) AS "lastSeenAt",
                EXISTS (SELECT FROM user_second_factors
                         WHERE user_id = person.id AND confirmed_at IS NOT NULL) AS "twoFactor"
           FROM members AS member JOIN users AS person ON person.id = member.user_id
          WHERE member.account_id = $1
          ORDER BY array_position(ARRAY['owner', 'admin', 'member', 'viewer'], member.role), person.name, person.id`,
};

/**
 * The people of an account. Each change locks the account first, and reads who is what after that: of two that race, the
 * second one sees what the first one did, so that no account is ever left without an owner.
 */
@Injectable()
export class AccountMembersService {
  constructor(
    private readonly database: Database,
    private readonly keys: KeysService,
    private readonly sessions: SessionRepository,
    private readonly links: OneTimeLinkRepository,
    private readonly clock: Clock,
  ) {}

  /** All of them, who may most first. */
  list(accountId: string): Promise<Member[]> {
    return this.database.run<Member>(LIST, [accountId]);
  }

  /**
   * Gives a member another role, from the next request on; open invitations by that member to a role that the new one may
   * not give end. Throws `not_found`, `forbidden` for who may not, and `conflict` for the only owner.
   */
  async changeRole(userId: string, role: Role, context: RequestContext): Promise<Member> {
    const { accountId, user } = context.principal;
    return this.locked(context, async () => {
      const { actor, member, owners } = await this.read(accountId, user.id, userId);
      requireManageable(actor.role, member.role);
      requireManageable(actor.role, role);
      if (member.role === 'owner' && role !== 'owner' && owners === 1) throw onlyOwner();
      if (member.role !== role) {
        await this.members.update({ accountId, userId: member.userId }, { role });
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
   * Removes a member, or lets whoever asks leave; streams end within a second, and sessions of who belongs to no account
   * any more. Open invitations by that member end: nobody comes back by one. With `revokeKeys` the keys end that this user
   * made in the account; else they go on. Throws as {@link changeRole} does.
   */
  async remove(userId: string, revokeKeys: boolean, context: RequestContext): Promise<void> {
    const { accountId, user } = context.principal;
    await this.locked(context, async () => {
      const { actor, member, owners } = await this.read(accountId, user.id, userId);
      const leaves = actor.userId === member.userId;
      if (!leaves) requireManageable(actor.role, member.role);
      if (member.role === 'owner' && owners === 1) throw onlyOwner();
      await this.members.delete({ accountId, userId: member.userId });
      const invitationsRevoked = await this.revokeInvitations(member, undefined);
      await insertAuditEntry(this.database, {
        action: leaves ? 'user.leave' : 'user.remove',
        resourceId: member.userId,
        at: this.clock.now(),
        context,
        details: { role: member.role, revokeKeys, invitationsRevoked },
      });
      if (revokeKeys) await this.keys.revokeAllOf(member.userId, context);
      const belongsElsewhere = await this.members.existsBy({ userId: member.userId });
      if (!leaves && !belongsElsewhere) await this.sessions.endAll(member.userId);
    });
  }

  /** Takes back what the member has invited to and, as `role` or as nobody, could not any more; how many. */
  private revokeInvitations(
    { accountId, userId }: MemberEntity,
    role: Role | undefined,
  ): Promise<number> {
    const lost = ROLES.filter((one) => role === undefined || !manages(role, one));
    return this.links.revokeInvitationsBy(accountId, userId, lost);
  }

  /** Does `work` while nobody else changes the people of the account. */
  private locked<Result>(context: RequestContext, work: () => Promise<Result>): Promise<Result> {
    const { accountId } = context.principal;
    return this.database.transaction(
      async () => {
        await lockAccount(this.database, accountId);
        return work();
      },
      context.caller,
      accountId,
    );
  }

  /** Who asks and who is meant, as they are now. Throws `not_found` for who does not belong to the account. */
  private async read(
    accountId: string,
    actorId: string,
    publicId: string,
  ): Promise<{ actor: MemberEntity; member: MemberEntity; owners: number }> {
    const memberId = uuidOf('user', publicId);
    const all = await this.members.findBy({ accountId });
    const actor = all.find(({ userId }) => userId === actorId);
    const member = all.find(({ userId }) => userId === memberId);
    if (!actor) throw notFound('account');
    if (!member) throw notFound('member');
    return { actor, member, owners: all.filter(({ role }) => role === 'owner').length };
  }

  private get members() {
    return this.database.repository(MemberEntity);
  }
}

/** Whether `actor` may make, change and remove people with this role: owners all, admins those below them. */
function manages(actor: Role, role: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && !isAtLeast(role, 'admin'));
}

/** Throws `forbidden` unless `actor` {@link manages} people with this role. */
export function requireManageable(actor: Role, role: Role): void {
  if (manages(actor, role)) return;
  throw new AppError(
    'forbidden',
    actor === 'admin'
      ? 'An admin manages members and viewers. Ask an owner of the account to manage owners and admins.'
      : `Your role in this account is ${actor}; owners and admins manage people. Ask one of them.`,
    { requiredRoles: isAtLeast(role, 'admin') ? ['owner'] : ['owner', 'admin'], role: actor },
  );
}

/** The answer to what would leave an account without an owner. */
export function onlyOwner(): AppError {
  return new AppError(
    'conflict',
    'This is the only owner of the account, which always has one. Make somebody else an owner first, or delete the account.',
    { code: 'only owner' },
  );
}
