import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/database/bounded-queue.js';
import { invalidFields } from '../../../platform/basics/errors/app-error.js';
import type { Client } from './client.js';
import { Passwords } from './sign-in/passwords.js';
import { SessionRepository, type Session } from './session/sessions.repository.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { UserAudit } from './users/user-audit.js';
import { UserRepository } from './users/users.repository.js';

/** Changes passwords. Whoever knew the old one is signed out everywhere. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionRepository,
    private readonly signIn: SignInService,
    private readonly audit: UserAudit,
  ) {}

  /**
   * By somebody who is signed in: all other sessions end. Throws `bad_request` for a wrong password; who has none, because
   * a provider signs him in, needs none.
   */
  async bySession(
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
}

/** The answer to a change of the password by somebody who does not know the present one. */
export function wrongCurrentPassword(issue = 'is not your password') {
  return invalidFields([{ field: 'currentPassword', issue }]);
}
