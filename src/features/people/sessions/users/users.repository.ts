import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { AccountsRepository } from '../../../auth/accounts/accounts.repository.js';
import { MembershipsRepository } from '../../../auth/accounts/memberships.repository.js';
import { UserEntity } from '../../../auth/entities/user.entity.js';
import type { Person } from '../../../auth/person.js';
import { UserCredentialEntity, UserIdentityEntity } from '../entities/user-credentials.entities.js';
import { OneTimeLinksRepository } from '../links/one-time-links.repository.js';

const LIST: Statement = {
  name: 'sessions.list-users',
  text: `SELECT person.id, person.email, person.name, person.created_at AS "createdAt", person.former_email AS "formerEmail",
                person.email_verified_at IS NOT NULL AS "emailVerified",
                array_remove(ARRAY[
                  (SELECT 'password' FROM user_credentials WHERE user_id = person.id),
                  (SELECT 'code' FROM user_second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL),
                  (SELECT min('provider') FROM user_identities WHERE user_id = person.id)], NULL) AS "signsInBy",
                (SELECT count(*)::integer FROM members WHERE user_id = person.id) AS accounts
           FROM users AS person WHERE person.kind = 'person' ORDER BY person.created_at, person.id`,
};

/** A user in the operator's list. The id is a UUID. */
export interface ListedUser extends Person {
  createdAt: Date;
  emailVerified: boolean;
  /** The address of a user who was set apart, because somebody else proved that it is theirs. */
  formerEmail: string | null;
  /** `password`, also `code` with two-factor sign-in, and `provider`. */
  signsInBy: string[];
  /** The number of accounts the user belongs to. */
  accounts: number;
}

const HAS_FORMER_USER: Statement = {
  name: 'sessions.has-former-user',
  text: `SELECT EXISTS (SELECT FROM users AS former WHERE former.former_email = person.email) AS "isNews"
           FROM users AS person WHERE person.id = $1 AND person.former_user_seen_at IS NULL`,
};

const SIGNS_IN: Statement = {
  name: 'sessions.anyone-signs-in',
  text: `SELECT EXISTS (SELECT FROM user_credentials) OR EXISTS (SELECT FROM user_identities) AS "signsIn"`,
};

/** Users, their passwords and their identities at the sign-in provider. Ids are UUIDs. */
@Injectable()
export class UsersRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    @InjectRepository(UserCredentialEntity)
    private readonly credentials: Repository<UserCredentialEntity>,
    @InjectRepository(UserIdentityEntity)
    private readonly identities: Repository<UserIdentityEntity>,
    private readonly clock: Clock,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly links: OneTimeLinksRepository,
  ) {}

  /** Lists every user except service accounts, oldest first. */
  list(): Promise<ListedUser[]> {
    return this.database.run<ListedUser>(LIST, []);
  }

  /** Finds the person with this normalized e-mail address. */
  findByEmail(email: string): Promise<UserEntity | null> {
    return this.users.findOneBy({ email, kind: 'person' });
  }

  /** Finds the oldest person that was not set apart. */
  findOldest(): Promise<UserEntity | null> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return this.users.findOne({ where: { kind: 'person', formerEmail: IsNull() }, order });
  }

  /**
   * Locks a user in the caller's transaction. Inserting rows that only reference the user, such as a successor of a key,
   * does not wait.
   */
  lock(id: string): Promise<UserEntity> {
    const lock = { mode: 'for_no_key_update' } as const;
    return this.users.findOneOrFail({ where: { id }, lock });
  }

  /** True if the user has a password or an identity at the provider. */
  async canSignIn(userId: string): Promise<boolean> {
    return (
      (await this.credentials.existsBy({ userId })) || (await this.identities.existsBy({ userId }))
    );
  }

  /** True if at least one user has a password or an identity at the provider. */
  async canAnyoneSignIn(): Promise<boolean> {
    const [row] = await this.database.run<{ signsIn: boolean }>(SIGNS_IN, []);
    return row?.signsIn === true;
  }

  /** Returns the stored hash of the user's password; `undefined` without a password. */
  async passwordHashOf(userId: string): Promise<string | undefined> {
    const credential = await this.credentials.findOneBy({ userId });
    return credential?.passwordHash;
  }

  /** True if a mailed link, a provider or the operator has verified the user's e-mail address. */
  private async isEmailVerified(userId: string): Promise<boolean> {
    const where = { id: userId, emailVerifiedAt: Not(IsNull()) };
    return this.users.existsBy(where);
  }

  /** Records that the user's e-mail address is verified, unless it already is, or is no longer the user's. */
  async verifyEmail({ id, email }: Pick<Person, 'id' | 'email'>): Promise<void> {
    const emailVerifiedAt = this.clock.now();
    await this.users.update({ id, email, emailVerifiedAt: IsNull() }, { emailVerifiedAt });
  }

  /**
   * Creates a user with an account on the Free plan, in the caller's transaction. Throws `conflict` if the e-mail address
   * is taken.
   */
  async createWithAccount(email: string, name: string, emailVerified: boolean): Promise<Person> {
    const owner = { email, name, emailVerified, plan: 'free' } as const;
    const account = await this.accounts.insertWithOwner(owner);
    if (!account) throw emailIsTaken();
    return account.owner;
  }

  /** Creates a verified user like {@link createWithAccount}. Returns `undefined` if the e-mail address is taken. */
  async createIfNew(email: string, name: string): Promise<Person | undefined> {
    const owner = { email, name, emailVerified: true, plan: 'free' } as const;
    return (await this.accounts.insertWithOwner(owner))?.owner;
  }

  /** True if someone else had signed up with the user's address, and the user has not dismissed the notice about it. */
  async hasFormerUser(userId: string): Promise<boolean> {
    const [row] = await this.database.run<{ isNews: boolean }>(HAS_FORMER_USER, [userId]);
    return row?.isNews === true;
  }

  /** Dismisses the notice of {@link hasFormerUser}. */
  async dismissFormerUser(userId: string): Promise<void> {
    const formerUserSeenAt = this.clock.now();
    await this.users.update({ id: userId, formerUserSeenAt: IsNull() }, { formerUserSeenAt });
  }

  /** Creates a user without an account, in the caller's transaction. Throws `conflict` if the e-mail address is taken. */
  async create(email: string, name: string): Promise<Person> {
    const user = { id: newUuid(), email, name, emailVerifiedAt: null, createdAt: this.clock.now() };
    if (!(await this.accounts.insertUser(user))) throw emailIsTaken();
    return personOf(user);
  }

  /**
   * Takes over a user created by the service or the operator: sets the e-mail address and name of the person who uses the
   * operator's link, which vouches for the address. Also renames the account if it has the user's former name. Throws
   * `conflict` if another user has the address.
   */
  async takeOver({ id, name: formerName }: Person, email: string, name: string): Promise<Person> {
    const other = await this.findByEmail(email);
    if (other && other.id !== id) throw emailIsTaken();
    await this.users.update({ id }, { email, name });
    await this.verifyEmail({ id, email });
    for (const { accountName, principal } of await this.members.membershipsOf(id)) {
      if (accountName !== formerName || principal.role !== 'owner') continue;
      await this.accounts.update(principal.accountId, { name });
    }
    return { id, email, name };
  }

  async rename({ id, email }: Person, name: string): Promise<Person> {
    await this.users.update({ id }, { name });
    return { id, email, name };
  }

  /** Sets the password by its hash, and revokes the links that would set it. */
  async setPassword(userId: string, passwordHash: string): Promise<void> {
    const changedAt = this.clock.now();
    const isVouched = await this.isEmailVerified(userId);
    await this.credentials.upsert({ userId, passwordHash, isVouched, changedAt }, ['userId']);
    await this.links.revokeAllOf(userId);
  }

  /** Stores a new hash of the same password, unless the password has changed in the meantime. */
  async renewPasswordHash(userId: string, former: string, renewed: string): Promise<void> {
    await this.credentials.update({ userId, passwordHash: former }, { passwordHash: renewed });
  }

  /** Finds the user with this identity at the sign-in provider. */
  async findByIdentity(issuer: string, subject: string): Promise<Person | undefined> {
    const identity = await this.identities.findOne({
      where: { issuer, subject },
      relations: { user: true },
    });
    return identity ? personOf(identity.user) : undefined;
  }

  /** Links a user to an identity. If two requests race, the second finds the identity of the first. */
  async linkIdentity(userId: string, issuer: string, subject: string): Promise<void> {
    const identity = { issuer, subject, userId, createdAt: this.clock.now() };
    await this.identities.upsert(identity, ['issuer', 'subject']);
  }

  async deletePassword(userId: string): Promise<void> {
    await this.credentials.delete({ userId });
  }

  /** Gives the user another address, so that a new user can have theirs. */
  async releaseEmail({ id, email }: UserEntity, replacement: string): Promise<void> {
    await this.users.update({ id }, { email: replacement, formerEmail: email });
  }
}

export function emailIsTaken(): AppError {
  return new AppError(
    'conflict',
    'A user with this e-mail address already exists. Sign in, or ask the operator of the service for a link to set a password.',
    { field: 'email', issue: 'belongs to a user' },
  );
}

export function personOf({ id, name, email }: Person): Person {
  return { id, name, email };
}
