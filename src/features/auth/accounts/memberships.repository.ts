import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { MemberEntity } from '../entities/member.entity.js';
import type { PersonPrincipal } from '../principal.js';
import { ROLE_SCOPES } from '../roles.js';
import { accountIsSuspended, customLimitsOf } from './account.js';

/** A user's membership in an account. */
interface Membership {
  accountName: string;
  /** The user as a principal of that account. */
  principal: PersonPrincipal;
}

/** Reads who belongs to which account, and in which role. */
@Injectable()
export class MembershipRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the user as a principal of the account, with the scopes of their current role, or `undefined` if they are not
   * a member. Ids are UUIDs. Throws `forbidden` if the account is suspended.
   */
  async principalOf(userId: string, accountId: string): Promise<PersonPrincipal | undefined> {
    const member = await this.database
      .repository(MemberEntity)
      .findOne({ where: { userId, accountId }, relations: { user: true, account: true } });
    if (member?.account.suspendedAt) throw accountIsSuspended();
    return member ? principalFrom(member) : undefined;
  }

  /** Lists the user's memberships, oldest first. The id is a UUID. */
  async membershipsOf(userId: string): Promise<Membership[]> {
    const members = await this.database.repository(MemberEntity).find({
      where: { userId },
      relations: { user: true, account: true },
      order: { createdAt: 'ASC', accountId: 'ASC' },
    });
    return members.map((member) => ({
      accountName: member.account.name,
      principal: principalFrom(member),
    }));
  }
}

/** Returns the UUIDs of the accounts that the user belongs to, even suspended ones. */
export async function accountIdsOf(database: Database, userId: string): Promise<string[]> {
  const members = await database.repository(MemberEntity).findBy({ userId });
  return members.map(({ accountId }) => accountId);
}

/** Adds a member, in the caller's transaction. Returns false if the user already belongs to the account. */
export async function insertMember(
  database: Database,
  member: Pick<MemberEntity, 'accountId' | 'userId' | 'role' | 'createdAt'>,
): Promise<boolean> {
  const { accountId, userId } = member;
  const members = database.repository(MemberEntity);
  if (await members.existsBy({ accountId, userId })) return false;
  await members.insert(member);
  return true;
}

function principalFrom({ user, account, role }: MemberEntity): PersonPrincipal {
  return {
    kind: 'person',
    accountId: account.id,
    user: { id: user.id, name: user.name, email: user.email },
    role,
    scopes: ROLE_SCOPES[role],
    plan: account.plan,
    customLimits: customLimitsOf(account),
  };
}
