import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { Database } from '../../../../platform/database/database.js';
import { accountIdsOf } from '../../../access/auth/accounts/memberships.repository.js';
import type { SystemPrincipal } from '../../../access/auth/principal.js';
import { systemContext } from '../../../access/auth/request-context.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import { KeysService } from '../../../keys/keys.service.js';
import { OneTimeLinkRepository } from '../links/one-time-links.repository.js';
import { SessionRepository } from '../session/sessions.repository.js';
import { deleteSecondFactor } from '../sign-in/second-factors.repository.js';
import { deletePassword, findUserByEmail, lockUser, setEmailVerified } from './users.repository.js';

/**
 * Verifies users whose e-mail address is unverified. Someone who signed up, or who accepted their own invitation, may
 * have entered another person's address.
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
   * Throws `conflict` if the address belongs to an unverified user. With `vouch`, calls {@link verify} instead. Accepts
   * unknown addresses. For the operator. Call it in the transaction that grants something to the user.
   */
  async require(email: string, vouch: boolean): Promise<void> {
    const user = await findUserByEmail(this.database, email);
    if (!user || user.emailVerifiedAt) return;
    if (!vouch) throw emailIsUnverified(email);
    await this.verify(user.id, 'operator');
  }

  /**
   * Verifies a user's address on behalf of its owner. An attacker may have chosen the password in advance, so this first
   * removes the password and the second factor, and ends all sessions, links, invitations and API keys of the user.
   */
  async verify(userId: string, by: SystemPrincipal['by']): Promise<void> {
    await this.database.transaction(async () => {
      const user = await lockUser(this.database, userId);
      if (user.emailVerifiedAt) return;
      await deletePassword(this.database, userId);
      await deleteSecondFactor(this.database, userId);
      await this.sessions.endAll(userId);
      await this.links.revokeAllOf(userId);
      await this.links.revokeAllInvitationsBy(userId);
      const at = this.clock.now();
      const person = { id: userId, name: user.name, email: user.email };
      for (const accountId of await accountIdsOf(this.database, userId)) {
        const context = systemContext(by, accountId, person);
        await this.keys.revokeAllOf(userId, context);
        const entry = { action: 'user.verify_email', resourceId: userId, at, context } as const;
        await insertAuditEntry(this.database, entry);
      }
      await setEmailVerified(this.database, userId, at);
    });
  }
}

function emailIsUnverified(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} is unverified: it may not belong to the user who signed up with it, so nothing was changed. ` +
      'Ask the owner of the address whether they signed up. To verify the address yourself, add --vouch: ' +
      "this first ends the user's password, second factor, sessions, invitations and API keys.",
  );
}
