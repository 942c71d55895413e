import { Injectable, type OnModuleInit } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { MembershipRepository } from '../../access/auth/accounts/memberships.repository.js';
import { MemberEntity } from '../../access/auth/entities/member.entity.js';
import type { Person } from '../../access/auth/person.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import type { Client } from '../sessions/client.js';
import { InvitationLinks, type InvitationHandler } from '../sessions/invitation-links.js';
import type { OneTimeLink } from '../sessions/links/one-time-links.repository.js';
import { isMember } from './invitations.service.js';
import { lockAccount } from '../../access/auth/accounts/accounts.repository.js';

/** Makes members of those who accept an invitation. */
@Injectable()
export class InvitationAcceptance implements OnModuleInit, InvitationHandler {
  constructor(
    private readonly database: Database,
    private readonly links: InvitationLinks,
    private readonly members: MembershipRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.links.onAccept(this);
  }

  /** In the transaction in which the link is used up. Throws `conflict` for who is a member already. */
  async accept({ account, role }: OneTimeLink, user: Person, client: Client): Promise<void> {
    if (!account || !role) throw new Error('An invitation names no account or no role.');
    const accountId = account.id;
    await lockAccount(this.database, accountId);
    const row = { accountId, userId: user.id };
    const rows = this.database.repository(MemberEntity);
    if (await rows.existsBy(row)) throw isMember();
    const at = this.clock.now();
    await rows.insert({ ...row, role, createdAt: at });
    const principal = await this.members.principalOf(user.id, accountId);
    if (!principal) throw notFound('account');
    await insertAuditEntry(this.database, {
      action: 'user.join',
      resourceId: user.id,
      at,
      context: { ...client, principal },
      details: { role },
    });
  }
}
