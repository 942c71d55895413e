import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../access/auth/accounts/email-address.js';
import type { Person } from '../../access/auth/person.js';
import { Config } from '../../../platform/config/config.js';
import type { Caller } from '../../../platform/database/bounded-queue.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { Client } from './client.js';
import { Passwords } from './sign-in/passwords.js';
import { networkOf, SignInThrottle } from './sign-in/sign-in-throttle.js';
import { emailIsTaken, UserRepository } from './users/users.repository.js';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Lets anybody become a user, where the operator wants that. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * A new user with an account on the plan Free. Throws `forbidden` where sign-up is closed, `conflict` for an e-mail
   * address that is a user's, `rate_limited` and `unavailable` like signing in.
   */
  async signUp(wanted: NewUser, { clientAddress }: Client, caller?: Caller): Promise<Person> {
    if (this.config.signUp === 'closed') throw signUpIsClosed();
    const email = normalizeEmail(wanted.email);
    await this.throttle.take(['signUp', networkOf(clientAddress)]);
    if (await this.users.findByEmail(email)) throw emailIsTaken();
    const passwordHash = await this.passwords.hash(wanted.password, caller);
    return this.database.transaction(async () => {
      const user = await this.users.createWithAccount(email, wanted.name.trim(), false);
      await this.users.setPassword(user.id, passwordHash);
      return user;
    }, caller);
  }
}

/** The answer to a sign-up where only invited people become users. */
export function signUpIsClosed(): AppError {
  return new AppError(
    'forbidden',
    'Nobody can sign up here. Ask a member of an account for an invitation, or the operator of the service for a link.',
  );
}
