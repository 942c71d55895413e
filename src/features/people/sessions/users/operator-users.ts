import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { Database } from '../../../../platform/database/database.js';
import {
  FIRST_EMAIL,
  type AccountsRepository,
} from '../../../auth/accounts/accounts.repository.js';
import { localPart, normalizeEmail } from '../../../auth/accounts/email-address.js';
import type { Person } from '../../../auth/person.js';
import type { IssuedLink, OneTimeLinksRepository } from '../links/one-time-links.repository.js';
import type { SecondFactorsRepository } from '../sign-in/second-factors.repository.js';
import { emailIsUnverified, type UnverifiedUsersService } from './unverified-users.service.js';
import type { ListedUser, UsersRepository } from './users.repository.js';

/** User management for the operator's command line. */
export class OperatorUsers {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly users: UsersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly links: OneTimeLinksRepository,
    private readonly unverified: UnverifiedUsersService,
  ) {}

  /**
   * Creates a link to start using the dashboard: for the user with this e-mail address, who can be new. Without an
   * address, the link is for the first user, or for anyone who opens it. Throws `conflict` for a user who can already
   * sign in or is unverified.
   */
  async link(text: string | undefined, vouch: boolean): Promise<IssuedLink> {
    const { database, users, links } = this;
    return database.transaction(async () => {
      if (text === undefined) {
        return (
          (await firstRunLink(database, users, links)) ?? links.create({ purpose: 'first-run' })
        );
      }
      const email = normalizeEmail(text);
      await this.unverified.require(email, vouch);
      const user = await users.findByEmail(email);
      if (user && (await users.canSignIn(user.id))) throw signsInAlready(email);
      await links.revokeFor(email, 'first-run');
      return user ? linkFor(user, links) : links.create({ purpose: 'first-run', email });
    });
  }

  /**
   * Creates a link to set a new password, and revokes earlier ones. With `vouch`, an unverified user is replaced by a new
   * one with an account. Throws `not_found` for an unknown e-mail address, and `conflict` for an unverified one.
   */
  async resetPassword(
    text: string,
    withoutTwoFactor: boolean,
    vouch: boolean,
  ): Promise<IssuedLink> {
    const email = normalizeEmail(text);
    return this.database.transaction(async () => {
      if (!(await this.users.findByEmail(email))) throw unknownUser(email);
      await this.unverified.require(email, vouch);
      const userId = await this.findOrCreate(email);
      if (withoutTwoFactor) await this.factors.delete(userId);
      await this.links.revokeAllOf(userId);
      return this.links.create({ purpose: 'password', userId });
    });
  }

  /** Returns the UUID of the verified user, after an unverified one was set apart. */
  private async findOrCreate(email: string): Promise<string> {
    const user = await this.users.findByEmail(email);
    if (user) return user.id;
    const owner = { email, name: localPart(email), emailVerified: true, plan: 'free' } as const;
    const account = await this.accounts.insertWithOwner(owner);
    if (!account) throw emailIsUnverified(email);
    return account.owner.id;
  }

  /** Lists every user, oldest first. */
  list(): Promise<ListedUser[]> {
    return this.users.list();
  }
}

/**
 * Creates a link for the first user to start using the dashboard, and revokes the previous one. Returns `undefined` if
 * the user can already sign in, or if there is no user.
 */
export async function firstRunLink(
  database: Database,
  users: UsersRepository,
  links: OneTimeLinksRepository,
): Promise<IssuedLink | undefined> {
  return database.transaction(async () => {
    const user = await users.findOldest();
    if (!user || (await users.canSignIn(user.id))) return undefined;
    return linkFor(user, links);
  });
}

async function linkFor(user: Person, links: OneTimeLinksRepository): Promise<IssuedLink> {
  await links.revokeAllOf(user.id);
  // The address of the automatically created user is a placeholder. The person who opens the link enters their own.
  const email = user.email === FIRST_EMAIL ? {} : { email: user.email };
  return links.create({ purpose: 'first-run', userId: user.id, ...email });
}

function signsInAlready(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} can already sign in to the dashboard. To set a new password, run: npm run -s cli -- users reset-password ${email}`,
  );
}

function unknownUser(email: string): AppError {
  return new AppError(
    'not_found',
    `There is no user ${email}. To list all users, run: npm run -s cli -- users list`,
  );
}
