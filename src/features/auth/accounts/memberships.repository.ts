import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { MemberEntity } from '../entities/member.entity.js';
import type { PersonPrincipal } from '../principal.js';
import { ROLE_SCOPES, type Role } from '../roles.js';
import { accountIsSuspended, customLimitsOf } from './account.js';

/** A user's membership in an account. */
interface Membership {
  accountName: string;
  /** The user as a principal of that account. */
  principal: PersonPrincipal;
}

/** Members of accounts with their roles. Ids are UUIDs. */
@Injectable()
export class MembershipsRepository {
  constructor(@InjectRepository(MemberEntity) private readonly members: Repository<MemberEntity>) {}

  /**
   * Returns the user as a principal of the account, with the scopes of their current role, or `undefined` if they are not
   * a member. Throws `forbidden` if the account is suspended.
   */
  async principalOf(userId: string, accountId: string): Promise<PersonPrincipal | undefined> {
    const member = await this.members.findOne({
      where: { userId, accountId },
      relations: { user: true, account: true },
    });
    if (member?.account.suspendedAt) throw accountIsSuspended();
    return member ? principalFrom(member) : undefined;
  }

  /** Lists the user's memberships, oldest first. */
  async membershipsOf(userId: string): Promise<Membership[]> {
    const members = await this.members.find({
      where: { userId },
      relations: { user: true, account: true },
      order: { createdAt: 'ASC', accountId: 'ASC' },
    });
    return members.map((member) => ({
      accountName: member.account.name,
      principal: principalFrom(member),
    }));
  }

  /** Lists the people who are members, without service accounts. */
  list(accountId: string): Promise<MemberEntity[]> {
    return this.members.findBy({ accountId, user: { kind: 'person' } });
  }

  /** Returns the names of those of the users who are members, service accounts included, by user. */
  async namesOf(accountId: string, userIds: readonly string[]): Promise<Map<string, string>> {
    const members = await this.members.find({
      where: { accountId, userId: In([...userIds]) },
      relations: { user: true },
    });
    return new Map(members.map(({ userId, user }) => [userId, user.name]));
  }

  /** Returns the current role of a user, who can be a service account; `undefined` without a membership. */
  async roleOf(userId: string, accountId: string): Promise<Role | undefined> {
    return (await this.members.findOneBy({ userId, accountId }))?.role;
  }

  /** Returns the accounts that the user belongs to, even suspended ones. */
  async accountIdsOf(userId: string): Promise<string[]> {
    const members = await this.members.findBy({ userId });
    return members.map(({ accountId }) => accountId);
  }

  hasMember(accountId: string, email: string): Promise<boolean> {
    return this.members.existsBy({ accountId, user: { email } });
  }

  /** Adds a member, in the caller's transaction. Returns false if the user already belongs to the account. */
  async insert(
    member: Pick<MemberEntity, 'accountId' | 'userId' | 'role' | 'createdAt'>,
  ): Promise<boolean> {
    const { accountId, userId } = member;
    if (await this.members.existsBy({ accountId, userId })) return false;
    await this.members.insert(member);
    return true;
  }

  async updateRole(
    { accountId, userId }: Pick<MemberEntity, 'accountId' | 'userId'>,
    role: Role,
  ): Promise<void> {
    await this.members.update({ accountId, userId }, { role });
  }

  async delete({ accountId, userId }: Pick<MemberEntity, 'accountId' | 'userId'>): Promise<void> {
    await this.members.delete({ accountId, userId });
  }
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
    accessEpoch: account.accessEpoch,
  };
}
