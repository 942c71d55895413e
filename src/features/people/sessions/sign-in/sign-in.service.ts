import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../../access/auth/accounts/email-address.js';
import type { Person } from '../../../access/auth/person.js';
import type { Caller } from '../../../../platform/database/bounded-queue.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Client } from '../client.js';
import { isOutdated, Passwords } from './passwords.js';
import { SecondFactorsService } from './second-factors.service.js';
import { networkOf, SignInThrottle, type Limited } from './sign-in-throttle.js';
import { UserRepository } from '../users/users.repository.js';

/** A UUID that is no user's. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** What somebody signs in with. */
export interface SignInAttempt {
  email: string;
  password: string;
  /** Of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

/** Who somebody is, by e-mail address, password and, where the user wants that, a code. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly secondFactors: SecondFactorsService,
  ) {}

  /**
   * The user with this e-mail address and password. A wrong one and an unknown one are told alike, and take as long.
   * Throws `unauthorized`, also for a code that is wrong or missing, `rate_limited` after too many that failed, and
   * `unavailable` when too many sign in at once.
   */
  async identify(attempt: SignInAttempt, client: Client, caller?: Caller): Promise<Person> {
    const user = await this.compare(attempt, client, caller);
    if (!user) throw wrongPassword();
    if (await this.secondFactors.isOn(user.id)) await this.requireCode(user, attempt.code);
    return user;
  }

  /** Whether it is the password of somebody who is signed in. Throws `rate_limited` and `unavailable` as signing in does. */
  async isPasswordOf(
    { email }: Person,
    password: string,
    client: Client,
    caller?: Caller,
  ): Promise<boolean> {
    return (await this.compare({ email, password }, client, caller)) !== undefined;
  }

  private async compare(
    { email: text, password }: SignInAttempt,
    { clientAddress }: Client,
    caller?: Caller,
  ): Promise<Person | undefined> {
    const email = normalizeEmail(text);
    const limits: Limited[] = [
      ['address', networkOf(clientAddress)],
      ['email', email],
    ];
    await this.throttle.take(...limits);
    const user = await this.users.findByEmail(email);
    // Both look-ups for everybody: an unknown address must not be answered sooner.
    const stored = await this.users.passwordHashOf(user?.id ?? NOBODY);
    const isRight = await this.passwords.matches(password, stored, caller);
    if (!isRight || !user || stored === undefined) return undefined;
    await this.throttle.giveBack(...limits);
    if (isOutdated(stored)) {
      const renewed = await this.passwords.hash(password, caller);
      await this.users.renewPasswordHash(user.id, stored, renewed);
    }
    return user;
  }

  private async requireCode({ id }: Person, code: string | undefined): Promise<void> {
    if (code === undefined || code.trim() === '') throw codeMissing();
    if (!(await this.secondFactors.takes(id, code))) throw codeWrong();
  }
}

const SECOND_FACTOR = { code: 'second factor' };

/** The answer to a right password without the code that goes with it. */
export function codeMissing(): AppError {
  return new AppError(
    'unauthorized',
    'Send the code that the authenticator app shows, or a recovery code, as well.',
    SECOND_FACTOR,
  );
}

/** The answer to a right password with a wrong code. */
export function codeWrong(): AppError {
  return new AppError(
    'unauthorized',
    'The code is wrong or was used before. Send the one that the authenticator app shows now, or another recovery code.',
    SECOND_FACTOR,
  );
}

/** The answer to an e-mail address and a password that do not belong together. */
export function wrongPassword(): AppError {
  return new AppError(
    'unauthorized',
    'The e-mail address or the password is wrong. Correct them, or ask the operator of the service for a link to set a new password.',
  );
}
