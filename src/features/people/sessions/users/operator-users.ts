import { normalizeEmail } from '../../../access/auth/accounts/email-address.js';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';
import type { Person } from '../../../access/auth/person.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { UserSecondFactorEntity } from '../entities/user-second-factor.entity.js';
import { operatorsLink } from '../first-run.js';
import { OneTimeLinkRepository, type IssuedLink } from '../links/one-time-links.repository.js';
import type { UnverifiedUsers } from './unverified-users.js';

const LIST: Statement = {
  name: 'sessions.list-users',
  text: `SELECT person.id, person.email, person.name, person.created_at AS "createdAt",
                person.email_verified_at IS NOT NULL AS "emailVerified",
                array_remove(ARRAY[
                  (SELECT 'password' FROM user_credentials WHERE user_id = person.id),
                  (SELECT 'code' FROM user_second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL),
                  (SELECT min('provider') FROM user_identities WHERE user_id = person.id)], NULL) AS "signsInBy",
                (SELECT count(*)::integer FROM members WHERE user_id = person.id) AS accounts
           FROM users AS person ORDER BY person.created_at, person.id`,
};

/** A user as the operator sees him. The id is a UUID. */
export interface ListedUser extends Person {
  createdAt: Date;
  emailVerified: boolean;
  /** `password`, with `code` where two-factor sign-in is on, and `provider`. */
  signsInBy: string[];
  /** To how many he belongs. */
  accounts: number;
}

/** What the operator does for users, at the command line. */
export class OperatorUsers {
  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinkRepository,
    private readonly unverified: UnverifiedUsers,
  ) {}

  /** Creates a link to begin with. Throws `conflict` for a user who signs in already or is unverified. */
  async link(email: string | undefined, vouch: boolean): Promise<IssuedLink> {
    return this.database.transaction(async () => {
      if (email !== undefined) await this.unverified.require(normalizeEmail(email), vouch);
      return operatorsLink(this.database, this.links, email);
    });
  }

  /**
   * Creates a link to set a new password; earlier ones end. Throws `not_found` for an unknown e-mail address, and
   * `conflict` for an unverified one.
   */
  async resetPassword(
    text: string,
    withoutTwoFactor: boolean,
    vouch: boolean,
  ): Promise<IssuedLink> {
    const email = normalizeEmail(text);
    return this.database.transaction(async () => {
      const user = await this.database.repository(UserEntity).findOneBy({ email });
      if (!user) throw unknownUser(email);
      await this.unverified.require(email, vouch);
      const userId = user.id;
      if (withoutTwoFactor) {
        await this.database.repository(UserSecondFactorEntity).delete({ userId });
      }
      await this.links.revokeAllOf(userId);
      return this.links.create({ purpose: 'password', userId });
    });
  }

  /** Every user, oldest first. */
  list(): Promise<ListedUser[]> {
    return this.database.run<ListedUser>(LIST, []);
  }
}

function unknownUser(email: string): AppError {
  return new AppError(
    'not_found',
    `There is no user ${email}. See who there is: npm run -s cli -- users list`,
  );
}
