import { Injectable } from '@nestjs/common';
import type { Person } from '../../access/auth/person.js';
import { required, type LinkAnswers, type LinkUser } from './link-answers.js';
import { OneTimeLinkRepository, type OneTimeLink } from './links/one-time-links.repository.js';
import { Passwords } from './sign-in/passwords.js';
import { SessionRepository } from './session/sessions.repository.js';
import { UserAudit } from './users/user-audit.js';
import { UserRepository } from './users/users.repository.js';

/** Links of the operator by which somebody sets a new password. */
@Injectable()
export class PasswordLinks {
  constructor(
    private readonly links: OneTimeLinkRepository,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionRepository,
    private readonly audit: UserAudit,
  ) {}

  /** All sessions of the user end. */
  async use({ user }: OneTimeLink, answers: LinkAnswers, by: LinkUser): Promise<Person> {
    if (!user) throw new Error('A link to set a password names no user.');
    const { password } = required(answers, 'password');
    const hash = await this.passwords.hash(password, by.caller);
    const [userId, client, details] = [user.id, by.client, { how: 'link' }];
    const change = { action: 'user.change_password', userId, client, details } as const;
    return this.audit.recorded(change, async () => {
      await this.links.take(answers.token);
      await this.users.setPassword(userId, hash);
      await this.sessions.endAll(userId);
      return user;
    });
  }
}
