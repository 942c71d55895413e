import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { insertAccount } from '../../../access/auth/accounts/accounts.repository.js';
import { MembershipRepository } from '../../../access/auth/accounts/memberships.repository.js';
import { AccountEntity } from '../../../access/auth/entities/account.entity.js';
import { UserEntity } from '../../../access/auth/entities/user.entity.js';
import type { Person } from '../../../access/auth/person.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { UserCredentialEntity } from '../entities/user-credential.entity.js';
import { OneTimeLinkRepository } from '../links/one-time-links.repository.js';

/** Users and what is stored of their passwords. Ids are UUIDs. */
@Injectable()
export class UserRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly members: MembershipRepository,
    private readonly links: OneTimeLinkRepository,
  ) {}

  /** The user with this e-mail address, which is normalised. */
  async findByEmail(email: string): Promise<Person | undefined> {
    const user = await this.database.repository(UserEntity).findOneBy({ email });
    return user ? personOf(user) : undefined;
  }

  async find(id: string): Promise<Person | undefined> {
    const user = await this.database.repository(UserEntity).findOneBy({ id });
    return user ? personOf(user) : undefined;
  }

  /** What is stored of the user's password; `undefined` for who has none. */
  async passwordHashOf(userId: string): Promise<string | undefined> {
    return (await this.credentialOf(userId))?.passwordHash;
  }

  /** Whether the user's e-mail address was proved by a mailed link or a provider, or an operator vouched for it. */
  async isEmailVerified(userId: string): Promise<boolean> {
    const where = { id: userId, emailVerifiedAt: Not(IsNull()) };
    return this.database.repository(UserEntity).existsBy(where);
  }

  /** Remembers that the user's e-mail address was proved, unless it was before. */
  async verifyEmail(userId: string): Promise<void> {
    const emailVerifiedAt = this.clock.now();
    await this.database
      .repository(UserEntity)
      .update({ id: userId, emailVerifiedAt: IsNull() }, { emailVerifiedAt });
  }

  private credentialOf(userId: string): Promise<UserCredentialEntity | null> {
    return this.database.repository(UserCredentialEntity).findOneBy({ userId });
  }

  /**
   * Creates a user with an account of their own on the plan Free, in the caller's transaction. Throws `conflict` for a
   * known e-mail.
   */
  async createWithAccount(email: string, name: string, emailVerified: boolean): Promise<Person> {
    const owner = { email, name, emailVerified, plan: 'free' } as const;
    const account = await insertAccount(this.database, owner, this.clock.now());
    if (!account) throw emailIsTaken();
    return account.owner;
  }

  /** Creates a user without an account, in the caller's transaction. Throws `conflict` for a known e-mail. */
  async create(email: string, name: string): Promise<Person> {
    const user = { id: newUuid(), email, name, emailVerifiedAt: null, createdAt: this.clock.now() };
    const inserted = await this.database.manager
      .createQueryBuilder()
      .insert()
      .into(UserEntity)
      .values(user)
      .orIgnore()
      .returning('id')
      .updateEntity(false)
      .execute();
    if ((inserted.raw as unknown[]).length === 0) throw emailIsTaken();
    return personOf(user);
  }

  /**
   * Gives a user whom the service or the operator created the e-mail address and name of the person who takes it over by
   * the operator's link, which vouches for the address. Renames the account that has the former name. Throws `conflict`
   * for an e-mail address that is another user's.
   */
  async takeOver({ id, name: formerName }: Person, email: string, name: string): Promise<Person> {
    const other = await this.findByEmail(email);
    if (other && other.id !== id) throw emailIsTaken();
    await this.database.repository(UserEntity).update({ id }, { email, name });
    await this.verifyEmail(id);
    for (const { accountName, principal } of await this.members.membershipsOf(id)) {
      if (accountName !== formerName || principal.role !== 'owner') continue;
      const { accountId } = principal;
      await this.database.repository(AccountEntity).update({ id: accountId }, { name });
    }
    return { id, email, name };
  }

  async rename({ id, email }: Person, name: string): Promise<Person> {
    await this.database.repository(UserEntity).update({ id }, { name });
    return { id, email, name };
  }

  /** Sets the password of a user by its hash. Links that would set it end. */
  async setPassword(userId: string, passwordHash: string): Promise<void> {
    const changedAt = this.clock.now();
    const isVouched = await this.isEmailVerified(userId);
    await this.database
      .repository(UserCredentialEntity)
      .upsert({ userId, passwordHash, isVouched, changedAt }, ['userId']);
    await this.links.revokeAllOf(userId);
  }

  /** Keeps another hash of the same password, unless the password has been changed meanwhile. */
  async renewPasswordHash(userId: string, former: string, renewed: string): Promise<void> {
    await this.database
      .repository(UserCredentialEntity)
      .update({ userId, passwordHash: former }, { passwordHash: renewed });
  }
}

/** The answer to a sign-up with the e-mail address of a user. */
export function emailIsTaken(): AppError {
  return new AppError(
    'conflict',
    'There is a user with this e-mail address. Sign in, or ask the operator of the service for a link to set a password.',
    { field: 'email', issue: 'belongs to a user' },
  );
}

function personOf({ id, name, email }: UserEntity): Person {
  return { id, name, email };
}
