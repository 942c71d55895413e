import { Injectable } from '@nestjs/common';
import { normaliseEmail } from '../auth/accounts/email-address.js';
import type { Person } from '../auth/person.js';
import type { Caller } from '../database/bounded-queue.js';
import { AppError } from '../errors/app-error.js';
import type { Client } from './client.js';
import { Passwords } from './passwords.js';
import { networkOf, SignInThrottle, type Limited } from './sign-in-throttle.js';
import { UsersService } from './users.service.js';

/** What somebody signs in with. */
export interface SignInAttempt {
  email: string;
  password: string;
}

/** Who somebody is, by e-mail address and password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
  ) {}

  /**
   * The user with this e-mail address and password. A wrong one and an unknown one are told alike, and take as long.
   * Throws `unauthorized`, `rate_limited` after too many that failed, and `unavailable` when too many sign in at once.
   */
  async identify(
    { email: text, password }: SignInAttempt,
    { clientAddress }: Client,
    caller?: Caller,
  ): Promise<Person> {
    const email = normaliseEmail(text);
    const limits: Limited[] = [
      ['address', networkOf(clientAddress)],
      ['email', email],
    ];
    await this.throttle.take(...limits);
    const user = await this.users.findByEmail(email);
    const stored = user && (await this.users.passwordHashOf(user.id));
    const isRight = await this.passwords.matches(password, stored, caller);
    if (!user || !isRight) throw wrongPassword();
    await this.throttle.giveBack(...limits);
    return user;
  }
}

/** The answer to an e-mail address and a password that do not belong together. */
export function wrongPassword(): AppError {
  return new AppError(
    'unauthorized',
    'The e-mail address or the password is wrong. Correct them, or ask the operator of the service for a link to set a new password.',
  );
}
