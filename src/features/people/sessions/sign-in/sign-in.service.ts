import { Injectable } from '@nestjs/common';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { Config } from '../../../../platform/config/config.js';
import type { Caller } from '../../../../platform/basics/concurrency/fair-limiter.js';
import { Database } from '../../../../platform/database/database.js';
import { normalizeEmail } from '../../../auth/accounts/email-address.js';
import type { Person } from '../../../auth/person.js';
import type { Client } from '../client.js';
import { emailIsTaken, personOf, UsersRepository } from '../users/users.repository.js';
import { isOutdated, PasswordsService } from './passwords.service.js';
import { SecondFactorsService } from './second-factors.service.js';
import {
  networkOf,
  SignInThrottleRepository,
  type Limited,
} from './sign-in-throttle.repository.js';

/** A UUID that no user has. */
const UNUSED_ID = '00000000-0000-0000-0000-000000000000';

interface SignInAttempt {
  email: string;
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** Identifies users by e-mail address, password and, if they use two-factor sign-in, a code. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly throttle: SignInThrottleRepository,
    private readonly secondFactors: SecondFactorsService,
  ) {}

  /**
   * Returns the user with this e-mail address and password. A wrong password and an unknown address get the same response
   * in the same time. Throws `unauthorized` (also for a wrong or missing code), `rate_limited` after too many failures,
   * and `unavailable` if too many sign-ins are in progress.
   */
  async identify(attempt: SignInAttempt, client: Client, caller?: Caller): Promise<Person> {
    const user = await this.compare(attempt, client, caller);
    if (!user) throw wrongPassword();
    if (await this.secondFactors.isOn(user.id)) await this.requireCode(user, attempt.code);
    return user;
  }

  /** Checks the password of a signed-in user. Throws `rate_limited` and `unavailable` like {@link identify}. */
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
    // Always do both lookups, so that an unknown address does not get a faster response.
    const stored = await this.users.passwordHashOf(user?.id ?? UNUSED_ID);
    const isRight = await this.passwords.matches(password, stored, caller);
    if (!isRight || !user || stored === undefined) return undefined;
    await this.throttle.giveBack(...limits);
    if (isOutdated(stored)) {
      const renewed = await this.passwords.hash(password, caller);
      await this.users.renewPasswordHash(user.id, stored, renewed);
    }
    return personOf(user);
  }

  private async requireCode({ id }: Person, code: string | undefined): Promise<void> {
    if (code === undefined || code.trim() === '') throw codeMissing();
    if (!(await this.secondFactors.takes(id, code))) throw codeWrong();
  }
}

/** Registers new users, if the operator allows it. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly throttle: SignInThrottleRepository,
  ) {}

  /**
   * Creates a user with an account on the Free plan. Throws `forbidden` if sign-up is closed, `conflict` if the e-mail
   * address is taken, and `rate_limited` and `unavailable` like signing in.
   */
  async signUp(newUser: NewUser, { clientAddress }: Client, caller?: Caller): Promise<Person> {
    if (this.config.signUp === 'closed') throw signUpIsClosed();
    const email = normalizeEmail(newUser.email);
    await this.throttle.take(['signUp', networkOf(clientAddress)]);
    if (await this.users.findByEmail(email)) throw emailIsTaken();
    const passwordHash = await this.passwords.hash(newUser.password, caller);
    return this.database.transaction(async () => {
      const user = await this.users.createWithAccount(email, newUser.name.trim(), false);
      await this.users.setPassword(user.id, passwordHash);
      return user;
    }, caller);
  }
}

const SECOND_FACTOR = { code: 'second factor' };

function codeMissing(): AppError {
  const message = 'Also send the code from the authenticator app, or a recovery code.';
  return new AppError('unauthorized', message, SECOND_FACTOR);
}

function codeWrong(): AppError {
  const message =
    'The code is wrong or was already used. Send the code that the authenticator app shows now, or another recovery code.';
  const issue = 'is wrong or was already used; enter the code that the app shows now';
  return new AppError('unauthorized', message, { ...SECOND_FACTOR, field: 'code', issue });
}

export function wrongPassword(): AppError {
  return new AppError('unauthorized', 'The email address or password is wrong.');
}

export function signUpIsClosed(): AppError {
  return new AppError(
    'forbidden',
    'Sign-up is closed. Ask a member of an account for an invitation, or the operator of the service for a link.',
  );
}
