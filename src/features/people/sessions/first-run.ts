import { UserEntity } from '../../access/auth/entities/user.entity.js';
import { normalizeEmail } from '../../access/auth/accounts/email-address.js';
import { FIRST_EMAIL } from '../../access/auth/accounts/accounts.repository.js';
import type { Person } from '../../access/auth/person.js';
import type { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { UserCredentialEntity } from './entities/user-credential.entity.js';
import { UserIdentityEntity } from './entities/user-identity.entity.js';
import type { IssuedLink, OneTimeLinkRepository } from './links/one-time-links.repository.js';

/**
 * A link by which the first user begins to use the dashboard; the one from before ends. `undefined` when he does already,
 * or when there is no user.
 */
export async function firstRunLink(
  database: Database,
  links: OneTimeLinkRepository,
): Promise<IssuedLink | undefined> {
  return database.transaction(async () => {
    const user = await database
      .repository(UserEntity)
      .findOne({ where: {}, order: { createdAt: 'ASC', id: 'ASC' } });
    if (!user || (await signsIn(database, user.id))) return undefined;
    return linkFor(user, links);
  });
}

/**
 * A link of the operator: for the user with this e-mail address, who may be a new one; without one, for the first user, or
 * for whoever gets it. Throws `conflict` for a user who signs in already.
 */
export async function operatorsLink(
  database: Database,
  links: OneTimeLinkRepository,
  text: string | undefined,
): Promise<IssuedLink> {
  if (text === undefined) {
    return (await firstRunLink(database, links)) ?? links.create({ purpose: 'first-run' });
  }
  const email = normalizeEmail(text);
  return database.transaction(async () => {
    const user = await database.repository(UserEntity).findOneBy({ email });
    if (user && (await signsIn(database, user.id))) throw signsInAlready(email);
    await links.revokeFor(email, 'first-run');
    return user ? linkFor(user, links) : links.create({ purpose: 'first-run', email });
  });
}

async function linkFor(user: Person, links: OneTimeLinkRepository): Promise<IssuedLink> {
  await links.revokeAllOf(user.id);
  // The address of the user whom the first start makes is nobody's: whoever opens the link gives his own.
  const email = user.email === FIRST_EMAIL ? {} : { email: user.email };
  return links.create({ purpose: 'first-run', userId: user.id, ...email });
}

async function signsIn(database: Database, userId: string): Promise<boolean> {
  return (
    (await database.repository(UserCredentialEntity).existsBy({ userId })) ||
    (await database.repository(UserIdentityEntity).existsBy({ userId }))
  );
}

function signsInAlready(email: string): AppError {
  return new AppError(
    'conflict',
    `${email} signs in to the dashboard already. For a new password: npm run -s cli -- users reset-password ${email}`,
  );
}
