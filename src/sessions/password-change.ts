import { Injectable } from '@nestjs/common';
import type { Person } from '../auth/person.js';
import type { Caller } from '../database/bounded-queue.js';
import { Database } from '../database/database.js';
import { invalidFields } from '../errors/app-error.js';
import type { Client } from './client.js';
import { Passwords } from './passwords.js';
import { SessionsService, type Session } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { UserAudit } from './user-audit.js';
import { UsersService } from './users.service.js';

/** Changes passwords. Whoever knew the old one is signed out everywhere. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
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
    await this.database.transaction(async () => {
      await this.users.setPassword(user.id, hash, await this.users.isVouched(user.id));
      await this.sessions.endOthers(session);
      await this.audit.record('user.change_password', user.id, client);
    }, caller);
  }

  /** By a link of the operator, in the transaction in which that is used: all sessions end. */
  async byLink({ id }: Person, passwordHash: string, client: Client): Promise<void> {
    await this.users.setPassword(id, passwordHash, true);
    await this.sessions.endAll(id);
    await this.audit.record('user.change_password', id, client, { how: 'link' });
  }
}

/** The answer to a change of the password by somebody who does not know the present one. */
export function wrongCurrentPassword(issue = 'is not your password') {
  return invalidFields([{ field: 'currentPassword', issue }]);
}
