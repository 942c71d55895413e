import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../../platform/database/bounded-queue.js';
import { invalidFields, type AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Client } from '../client.js';
import { SecondFactorsService } from '../sign-in/second-factors.service.js';
import type { Session } from '../session/sessions.repository.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { UserAudit } from './user-audit.js';

interface Proof {
  password: string;
  code: string;
}

/** Turns the second factor on and off for somebody who shows the password, because a browser may be left open. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly signIn: SignInService,
    private readonly audit: UserAudit,
  ) {}

  /** The secret for the app. Throws `bad_request` for a wrong password, `conflict` where it is on. */
  async begin({ user }: Session, password: string, client: Client, caller?: Caller) {
    const isRight = await this.signIn.isPasswordOf(user, password, client, caller);
    if (!isRight) throw wrongPasswordFor();
    return this.secondFactors.begin(user);
  }

  /** Turns it on; returns the recovery codes. Throws `bad_request` for a wrong code, `rate_limited` after too many. */
  async confirm({ user }: Session, code: string, client: Client): Promise<string[]> {
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
  async turnOff(session: Session, proof: Proof, client: Client, caller?: Caller): Promise<void> {
    await this.require(session, proof, client, caller);
    const userId = session.user.id;
    const change = { action: 'user.disable_two_factor', userId, client } as const;
    await this.audit.recorded(change, () => this.secondFactors.turnOff(userId));
  }

  /** Recovery codes in place of those that are left. Throws like {@link turnOff}. */
  async renewCodes(session: Session, proof: Proof, client: Client, caller?: Caller) {
    await this.require(session, proof, client, caller);
    const userId = session.user.id;
    const change = { action: 'user.renew_recovery_codes', userId, client } as const;
    return this.audit.recorded(change, () => this.secondFactors.renewRecoveryCodes(userId));
  }

  private async require(
    { user }: Session,
    { password, code }: Proof,
    client: Client,
    caller?: Caller,
  ): Promise<void> {
    const isRight = await this.signIn.isPasswordOf(user, password, client, caller);
    if (!isRight) throw wrongPasswordFor();
    if (!(await this.secondFactors.takes(user.id, code))) throw wrongCode();
  }
}

/** The answer to a password that is not that of who is signed in: he stays signed in. */
export function wrongPasswordFor(): AppError {
  return invalidFields([{ field: 'password', issue: 'is not your password' }]);
}

/** The answer to a code that does not count. */
export function wrongCode(): AppError {
  return invalidFields([
    { field: 'code', issue: 'is wrong or was used before; take the one that the app shows now' },
  ]);
}
