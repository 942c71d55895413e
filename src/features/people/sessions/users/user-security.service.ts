import { Injectable } from '@nestjs/common';
import { invalidFields, type AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Caller } from '../../../../platform/basics/concurrency/fair-limiter.js';
import type { Client } from '../client.js';
import { SessionsRepository, type Session } from '../session/sessions.repository.js';
import { PasswordsService } from '../sign-in/passwords.service.js';
import { SecondFactorsService } from '../sign-in/second-factors.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { UserAuditService } from './user-audit.service.js';
import { UsersRepository } from './users.repository.js';

interface PasswordAndCode {
  password: string;
  code: string;
}

/**
 * Changes the password and the second factor of a signed-in user. Requires the current password, because a browser may be
 * left open.
 */
@Injectable()
export class UserSecurityService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: PasswordsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly sessions: SessionsRepository,
    private readonly signIn: SignInService,
    private readonly audit: UserAuditService,
  ) {}

  /**
   * Sets a new password and ends all other sessions. Throws `bad_request` for a wrong current password. Users who sign in
   * only through a provider have none.
   */
  async changePassword(
    session: Session,
    { currentPassword, newPassword }: { currentPassword?: string | undefined; newPassword: string },
    client: Client,
    caller?: Caller,
  ): Promise<void> {
    const { user } = session;
    const hasPassword = (await this.users.passwordHashOf(user.id)) !== undefined;
    if (hasPassword) {
      if (currentPassword === undefined) throw wrongCurrentPassword('required field missing');
      const isRight = await this.signIn.isPasswordOf(user, currentPassword, client, caller);
      if (!isRight) throw wrongCurrentPassword();
    }
    const hash = await this.passwords.hash(newPassword, caller);
    const change = { action: 'user.change_password', userId: user.id, client } as const;
    await this.audit.recorded(change, async () => {
      await this.users.setPassword(user.id, hash);
      await this.sessions.endOthers(session);
    });
  }

  /** Returns the secret for the app. Throws `bad_request` for a wrong password, and `conflict` if two-factor is on. */
  async beginTwoFactor({ user }: Session, password: string, client: Client, caller?: Caller) {
    const isRight = await this.signIn.isPasswordOf(user, password, client, caller);
    if (!isRight) throw wrongPasswordFor();
    return this.secondFactors.begin(user);
  }

  /**
   * Turns on two-factor sign-in and returns the recovery codes. Throws `bad_request` for a wrong code, `rate_limited`
   * after too many.
   */
  async confirmTwoFactor({ user }: Session, code: string, client: Client): Promise<string[]> {
    const change = { action: 'user.enable_two_factor', userId: user.id, client } as const;
    return this.secondFactors.throttled(user.id, () =>
      this.audit.recorded(change, async () => {
        const codes = await this.secondFactors.confirm(user.id, code);
        if (!codes) throw wrongCode();
        return codes;
      }),
    );
  }

  /** Throws `bad_request` for a wrong password or code. */
  async turnOffTwoFactor(
    session: Session,
    proof: PasswordAndCode,
    client: Client,
    caller?: Caller,
  ): Promise<void> {
    await this.require(session, proof, client, caller);
    const userId = session.user.id;
    const change = { action: 'user.disable_two_factor', userId, client } as const;
    await this.audit.recorded(change, () => this.secondFactors.turnOff(userId));
  }

  /** Replaces the recovery codes. Throws like {@link turnOffTwoFactor}. */
  async renewRecoveryCodes(
    session: Session,
    proof: PasswordAndCode,
    client: Client,
    caller?: Caller,
  ): Promise<string[]> {
    await this.require(session, proof, client, caller);
    const userId = session.user.id;
    const change = { action: 'user.renew_recovery_codes', userId, client } as const;
    return this.audit.recorded(change, () => this.secondFactors.renewRecoveryCodes(userId));
  }

  private async require(
    { user }: Session,
    { password, code }: PasswordAndCode,
    client: Client,
    caller?: Caller,
  ): Promise<void> {
    const isRight = await this.signIn.isPasswordOf(user, password, client, caller);
    if (!isRight) throw wrongPasswordFor();
    if (!(await this.secondFactors.takes(user.id, code))) throw wrongCode();
  }
}

export function wrongCurrentPassword(issue = 'is not your password') {
  return invalidFields([{ field: 'currentPassword', issue }]);
}

/** Not `unauthorized`, because the user stays signed in. */
export function wrongPasswordFor(): AppError {
  return invalidFields([{ field: 'password', issue: 'is not your password' }]);
}

export function wrongCode(): AppError {
  const issue = 'is wrong or was already used; enter the code that the app shows now';
  return invalidFields([{ field: 'code', issue }]);
}
