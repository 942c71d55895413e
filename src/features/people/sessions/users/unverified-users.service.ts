import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../../platform/database/database.js';
import { MembershipsRepository } from '../../../auth/accounts/memberships.repository.js';
import type { SystemPrincipal } from '../../../auth/principal.js';
import { systemContext } from '../../../auth/request-context.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import { KeysService } from '../../../keys/keys.service.js';
import { OneTimeLinksRepository } from '../links/one-time-links.repository.js';
import { SessionsRepository } from '../session/sessions.repository.js';
import { SecondFactorsRepository } from '../sign-in/second-factors.repository.js';
import { UsersRepository } from './users.repository.js';

/**
 * Users whose e-mail address is unverified. Someone who signed up, or who accepted their own invitation, may have entered
 * another person's address. When somebody else proves that an address is theirs, the unverified user is set apart: the
 * person gets a new user, and nothing that was prepared with their address.
 */
@Injectable()
export class UnverifiedUsersService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly members: MembershipsRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly keys: KeysService,
    private readonly sessions: SessionsRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `conflict` if the address belongs to an unverified user. With `vouch`, calls {@link setApart} instead, so that
   * the address has no user. Accepts unknown addresses. For the operator. Call it in the transaction that grants something
   * to the user.
   */
  async require(email: string, vouch: boolean): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (!user || user.emailVerifiedAt) return;
    if (!vouch) throw emailIsUnverified(email);
    await this.setApart(email, 'operator');
  }

  /** False for the address of an unverified user, even one who was set apart. */
  async isVerified(email: string): Promise<boolean> {
    const user = await this.users.findByEmail(email);
    return !user || user.emailVerifiedAt !== null;
  }

  /**
   * Takes the address away from its unverified user, if there is one, because somebody else has proved it. The user keeps
   * the accounts, which may be someone's work, but can no longer sign in, and their API keys, links and invitations are
   * revoked. Afterwards the address has no user, or a verified one.
   */
  async setApart(email: string, by: SystemPrincipal['by']): Promise<void> {
    await this.database.transaction(async () => {
      const found = await this.users.findByEmail(email);
      if (!found || found.emailVerifiedAt) return;
      const user = await this.users.lock(found.id);
      // A concurrent request was faster.
      if (user.emailVerifiedAt || user.email !== email) return;
      const { id: userId, name } = user;
      await this.users.deletePassword(userId);
      await this.factors.delete(userId);
      await this.links.revokeAllOf(userId);
      await this.links.revokeAllInvitationsBy(userId);
      const at = this.clock.now();
      const person = { id: userId, name, email };
      for (const accountId of await this.members.accountIdsOf(userId)) {
        const context = systemContext(by, accountId, person);
        await this.keys.revokeAllOf(userId, context);
        const entry = { action: 'user.set_apart', resourceId: userId, at, context } as const;
        await insertAuditEntry(this.database, entry);
      }
      // Random, so that nobody can take this address first. Names below .invalid never resolve (RFC 6761).
      await this.users.releaseEmail(user, `former-user-${newUuid()}@set-apart.invalid`);
      // A session that is created at the same time either ends here or finds that the address has changed.
      await this.sessions.endAll(userId);
    });
  }
}

export function emailIsUnverified(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} is unverified: it may not belong to the user who signed up with it, so nothing was changed. ` +
      'To verify the address yourself, add --vouch: its owner gets a new user, and the user who signed up can no longer ' +
      'sign in and keeps only the accounts. See docs/operate/accounts-and-keys.md.',
  );
}
