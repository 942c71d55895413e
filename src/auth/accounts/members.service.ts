import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { MemberEntity } from '../entities/member.entity.js';
import type { PersonPrincipal } from '../principal.js';
import { ROLE_SCOPES } from '../roles.js';
import { customLimitsOf } from './account.js';

/** Who belongs to which account, and as what. */
@Injectable()
export class MembersService {
  constructor(private readonly database: Database) {}

  /**
   * A user who has signed in to an account, with the scopes of the role as it is now; `undefined` for one who does not
   * belong to it. Ids are UUIDs.
   */
  async principalOf(userId: string, accountId: string): Promise<PersonPrincipal | undefined> {
    const member = await this.database
      .repository(MemberEntity)
      .findOne({ where: { userId, accountId }, relations: { user: true, account: true } });
    if (!member) return undefined;
    const { user, account, role } = member;
    return {
      kind: 'person',
      accountId,
      user: { id: user.id, name: user.name, email: user.email },
      role,
      scopes: ROLE_SCOPES[role],
      plan: account.plan,
      customLimits: customLimitsOf(account),
    };
  }
}
