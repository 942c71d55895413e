import { Injectable } from '@nestjs/common';
import { normaliseEmail } from '../auth/accounts/email-address.js';
import type { Person } from '../auth/person.js';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { UserCredentialEntity } from './entities/user-credential.entity.js';
import { UserIdentityEntity } from './entities/user-identity.entity.js';
import { UserSecondFactorEntity } from './entities/user-second-factor.entity.js';
import type { OidcPerson } from './oidc-client.js';
import { SessionsService } from './sessions.service.js';
import { signUpIsClosed } from './sign-up.service.js';
import { UsersService } from './users.service.js';

const MAX_NAME = 200;

/** Finds or makes the user whom the provider names. */
@Injectable()
export class OidcSignIn {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
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
    const email = normaliseEmail(person.email);
    const user = await this.users.findByEmail(email);
    if (!user) {
      if (this.config.signUp === 'closed') throw signUpIsClosed();
      const name = (person.name ?? email).trim().slice(0, MAX_NAME).toWellFormed();
      return this.users.createWithAccount(email, name);
    }
    if (!(await this.users.isVouched(user.id))) await this.shutOut(user.id);
    return user;
  }

  /**
   * Whoever chose the password has not shown that the e-mail address is his, and may have waited for the one whose it is:
   * password, second factor and sessions end.
   */
  private async shutOut(userId: string): Promise<void> {
    await this.database.repository(UserCredentialEntity).delete({ userId });
    await this.database.repository(UserSecondFactorEntity).delete({ userId });
    await this.sessions.endAll(userId);
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
