import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import { MemberEntity } from '../entities/member.entity.js';
import type { PersonPrincipal } from '../principal.js';
import { ROLE_SCOPES } from '../roles.js';
import { accountIsSuspended, customLimitsOf } from './account.js';

/** That a user belongs to an account. */
export interface Membership {
  accountName: string;
  /** The user in that account. */
  principal: PersonPrincipal;
}

/** Who belongs to which account, and as what. */
@Injectable()
export class MembershipRepository {
  constructor(private readonly database: Database) {}

  /**
   * A user who has signed in to an account, with the scopes of the role as it is now; `undefined` for one who does not
   * belong to it. Ids are UUIDs. Throws `forbidden` for an account that is suspended.
   */
  async principalOf(userId: string, accountId: string): Promise<PersonPrincipal | undefined> {
    const member = await this.database
      .repository(MemberEntity)
      .findOne({ where: { userId, accountId }, relations: { user: true, account: true } });
    if (member?.account.suspendedAt) throw accountIsSuspended();
    return member ? principalFrom(member) : undefined;
  }

  /** Every account that the user belongs to, the one joined first first. The id is a UUID. */
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
