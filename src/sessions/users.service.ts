import { Injectable } from '@nestjs/common';
import { insertAccount } from '../auth/accounts/accounts.service.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import type { Person } from '../auth/person.js';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { UserCredentialEntity } from './entities/user-credential.entity.js';

/** Users and what is stored of their passwords. Ids are UUIDs. */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
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
    const kept = await this.database.repository(UserCredentialEntity).findOneBy({ userId });
    return kept?.passwordHash;
  }

  /** A user with an account of his own on the plan Free, in the caller's transaction. Throws `conflict` for a known e-mail. */
  async createWithAccount(email: string, name: string): Promise<Person> {
    const owner = { email, name, plan: 'free' } as const;
    const account = await insertAccount(this.database, owner, this.clock.now());
    if (!account) throw emailIsTaken();
    return account.owner;
  }

  async rename({ id, email }: Person, name: string): Promise<Person> {
    await this.database.repository(UserEntity).update({ id }, { name });
    return { id, email, name };
  }

  /**
   * Sets the password of a user by its hash. `isVouched`: by a link of the operator, so that the e-mail address of the
   * user can be believed.
   */
  async setPassword(userId: string, passwordHash: string, isVouched: boolean): Promise<void> {
    const changedAt = this.clock.now();
    await this.database
      .repository(UserCredentialEntity)
      .upsert({ userId, passwordHash, isVouched, changedAt }, ['userId']);
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
