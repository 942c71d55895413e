import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../../access/auth/accounts/email-address.js';
import type { Person } from '../../../access/auth/person.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Config } from '../../../../platform/config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { UserIdentityEntity } from '../entities/user-identity.entity.js';
import type { OidcPerson } from './oidc-client.js';
import { signUpIsClosed } from '../sign-up.service.js';
import { UnverifiedUsers } from '../users/unverified-users.js';
import { UserRepository } from '../users/users.repository.js';

const MAX_NAME = 200;

/** Finds or makes the user whom the provider names. */
@Injectable()
export class OidcSignIn {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly unverified: UnverifiedUsers,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * The user: the one who came by this provider before, else the one with the e-mail address that the provider has
   * verified, else a new one. Throws `forbidden` for an address that is not verified, and for a new user where sign-up is
   * closed.
   */
  async identify(person: OidcPerson): Promise<Person> {
    const { issuer, subject } = person;
    return this.database.transaction(async () => {
      const identities = this.database.repository(UserIdentityEntity);
      const known = await identities.findOne({
        where: { issuer, subject },
        relations: { user: true },
      });
      if (known) {
        const { id, name, email } = known.user;
        const isVerified = person.isEmailVerified && person.email?.trim().toLowerCase() === email;
        if (isVerified) await this.users.verifyEmail(id);
        return { id, name, email };
      }
      const user = await this.findOrMake(person);
      const createdAt = this.clock.now();
      // Of two at once the later one finds the identity of the earlier one.
      await identities.upsert({ issuer, subject, userId: user.id, createdAt }, [
        'issuer',
        'subject',
      ]);
      return user;
    });
  }

  private async findOrMake(person: OidcPerson): Promise<Person> {
    if (person.email === undefined || !person.isEmailVerified) throw emailIsNotVerified();
    const email = normalizeEmail(person.email);
    const user = await this.users.findByEmail(email);
    if (!user) {
      if (this.config.signUp === 'closed') throw signUpIsClosed();
      const name = (person.name ?? email).trim().slice(0, MAX_NAME).toWellFormed();
      return this.users.createWithAccount(email, name, true);
    }
    await this.unverified.verify(user.id, 'service');
    return user;
  }
}

/** The answer to somebody of whom the provider does not say that the e-mail address is his. */
export function emailIsNotVerified(): AppError {
  return new AppError(
    'forbidden',
    'The sign-in provider has not verified your e-mail address, so it does not show who you are here. Verify it there, and sign in again.',
    { code: 'email-unverified' },
  );
}
