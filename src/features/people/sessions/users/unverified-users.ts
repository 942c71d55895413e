import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import { MemberEntity } from '../../../access/auth/entities/member.entity.js';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';
import type { SystemPrincipal } from '../../../access/auth/principal.js';
import { systemContext } from '../../../access/auth/request-context.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { KeysService } from '../../../keys/keys.service.js';
import { UserCredentialEntity } from '../entities/user-credential.entity.js';
import { UserSecondFactorEntity } from '../entities/user-second-factor.entity.js';
import { OneTimeLinkRepository } from '../links/one-time-links.repository.js';
import { SessionRepository } from '../session/sessions.repository.js';

/**
 * Users whose e-mail address nobody has proved: whoever signed up or accepted an invitation that they made themselves may
 * have typed the address of somebody else.
 */
@Injectable()
export class UnverifiedUsers {
  constructor(
    private readonly database: Database,
    private readonly keys: KeysService,
    private readonly sessions: SessionRepository,
    private readonly links: OneTimeLinkRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `conflict` for an existing user whose address is unverified. With `vouch` verifies it instead, after
   * {@link verify} has shut out whoever used it. An unknown address passes. For the operator; call it in the transaction
   * of what the user is to get.
   */
  async require(email: string, vouch: boolean): Promise<void> {
    const user = await this.database.repository(UserEntity).findOneBy({ email });
    if (!user || user.emailVerifiedAt) return;
    if (!vouch) throw emailIsUnverified(email);
    await this.verify(user.id, 'operator');
  }

  /**
   * Verifies a user's address on behalf of its owner. Whoever chose the password may have waited for that, so the
   * password, the second factor, and all sessions, links, invitations and API keys of the user end first.
   */
  async verify(userId: string, by: SystemPrincipal['by']): Promise<void> {
    await this.database.transaction(async () => {
      const users = this.database.repository(UserEntity);
      // What only refers to the user does not wait, such as a successor whose key is to end here.
      const lock = { mode: 'for_no_key_update' } as const;
      const user = await users.findOneOrFail({ where: { id: userId }, lock });
      if (user.emailVerifiedAt) return;
      await this.database.repository(UserCredentialEntity).delete({ userId });
      await this.database.repository(UserSecondFactorEntity).delete({ userId });
      await this.sessions.endAll(userId);
      await this.links.revokeAllOf(userId);
      await this.links.revokeAllInvitationsBy(userId);
      const at = this.clock.now();
      const person = { id: userId, name: user.name, email: user.email };
      const members = await this.database.repository(MemberEntity).findBy({ userId });
      for (const { accountId } of members) {
        const context = systemContext(by, accountId, person);
        await this.keys.revokeAllOf(userId, context);
        const entry = { action: 'user.verify_email', resourceId: userId, at, context } as const;
        await insertAuditEntry(this.database, entry);
      }
      await users.update({ id: userId }, { emailVerifiedAt: at });
    });
  }
}

function emailIsUnverified(email: string): AppError {
  return new AppError(
    'conflict',
    `Nobody has proved that ${email} belongs to the user who signed up with it, so nothing was changed. ` +
      'Ask the owner of the address whether that was them. To verify the address yourself, add --vouch: ' +
      "it ends the user's password, second factor, sessions, invitations and API keys first.",
  );
}
