import { Injectable } from '@nestjs/common';
import { normalizeEmail } from '../../access/auth/accounts/email-address.js';
import type { Person } from '../../access/auth/person.js';
import { Database } from '../../../platform/database/database.js';
import { required, type LinkAnswers, type LinkUser } from './link-answers.js';
import { OneTimeLinkRepository, type OneTimeLink } from './links/one-time-links.repository.js';
import { Passwords } from './sign-in/passwords.js';
import { UserRepository } from './users/users.repository.js';

/** Links of the operator by which somebody becomes a user of the dashboard. */
@Injectable()
export class FirstRunLinks {
  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinkRepository,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
  ) {}

  /** Whoever uses it takes over the user for whom it was made, or else becomes a new one with an account of his own. */
  async use(link: OneTimeLink, answers: LinkAnswers, { caller }: LinkUser): Promise<Person> {
    const { name, password } = required(answers, 'name', 'password');
    const email = link.email ?? normalizeEmail(required(answers, 'email').email);
    const hash = await this.passwords.hash(password, caller);
    return this.database.transaction(async () => {
      const { user: former } = await this.links.take(answers.token);
      const user = former
        ? await this.users.takeOver(former, email, name.trim())
        : // The operator vouches for the address that the link was made for, not for one that its holder types.
          await this.users.createWithAccount(email, name.trim(), link.email !== null);
      await this.users.setPassword(user.id, hash);
      return user;
    }, caller);
  }
}
