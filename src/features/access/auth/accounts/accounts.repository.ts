import { Injectable } from '@nestjs/common';
import type { FindOptionsWhere } from 'typeorm';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import { AppError, invalidFields, notFound } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { AccountEntity } from '../entities/account.entity.js';
import { MemberEntity } from '../entities/member.entity.js';
import { UserEntity } from '../entities/user.entity.js';
import type { Person } from '../person.js';
import type { Plan } from '../plan.js';
import { accountOf, type Account } from './account.js';
import { normalizeEmail } from './email-address.js';

const MAX_NAME_CHARACTERS = 200;

/** Whose an account is to be. */
export interface NewOwner {
  email: string;
  name: string;
  /** Whether a new user's address is verified. */
  emailVerified: boolean;
  /** The plan of a new account. */
  plan: Plan;
}

export interface FoundAccount {
  account: Account;
  /** Whether user and account were made by this call. */
  created: boolean;
}

/** Users and their accounts, for the operator: nobody manages accounts over HTTP yet. */
@Injectable()
export class AccountRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The oldest account that the user with this e-mail owns; user and account are made when the e-mail is new. Whatever
   * exists is left as it is. Concurrent calls make one user. Throws `bad_request` for a wrong e-mail or name.
   */
  async findOrCreateByEmail({
    email: text,
    name: givenName,
    plan,
  }: Omit<NewOwner, 'emailVerified'>): Promise<FoundAccount> {
    const email = normalizeEmail(text);
    const name = validName(givenName);
    const now = this.clock.now();
    const made = await this.database.transaction(() =>
      // The operator vouches for the address of a user whom they create.
      insertAccount(this.database, { email, name, plan, emailVerified: true }, now),
    );
    if (made) return { account: made, created: true };
    const [owner] = await this.findOwners({ user: { email } });
    if (!owner)
      throw new AppError(
        'conflict',
        `The user ${email} owns no account. Use another e-mail address.`,
      );
    return { account: accountOf(owner), created: false };
  }

  /** Every account, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.findOwners({})).map(accountOf);
  }

  /** The account with this UUID. Throws `not_found`. */
  async find(id: string): Promise<Account> {
    const [owner] = await this.findOwners({ accountId: id });
    if (!owner) throw notFound('account');
    return accountOf(owner);
  }

  private findOwners(where: FindOptionsWhere<MemberEntity>): Promise<MemberEntity[]> {
    return this.database.repository(MemberEntity).find({
      where: { ...where, role: 'owner' },
      relations: { account: true, user: true },
      order: { account: { createdAt: 'ASC', id: 'ASC' } },
    });
  }
}

/**
 * Makes a user with an account, in the caller's transaction; `undefined` where the e-mail is somebody's already. The
 * unique e-mail decides between concurrent calls: one inserts, the others wait for it and insert nothing.
 */
export async function insertAccount(
  database: Database,
  { email, name, plan, emailVerified }: NewOwner,
  createdAt: Date,
): Promise<Account | undefined> {
  const { manager } = database;
  const emailVerifiedAt = emailVerified ? createdAt : null;
  const user = { id: newUuid(), email, name, emailVerifiedAt, createdAt };
  const inserted = await manager
    .createQueryBuilder()
    .insert()
    .into(UserEntity)
    .values(user)
    .orIgnore()
    .returning('id')
    .updateEntity(false)
    .execute();
  if ((inserted.raw as unknown[]).length === 0) return undefined;
  return insertAccountOf(database, user, { name, plan }, createdAt);
}

/** Makes an account of a user, in the caller's transaction. */
export async function insertAccountOf(
  database: Database,
  user: Person,
  { name, plan }: Pick<NewOwner, 'name' | 'plan'>,
  createdAt: Date,
): Promise<Account> {
  const { manager } = database;
  const limits = { minuteLimit: null, hourLimit: null, dayLimit: null };
  const without = { ...limits, firstStepsDismissedAt: null, suspendedAt: null };
  const account = { id: newUuid(), name, plan, createdAt, ...without };
  await manager.insert(AccountEntity, account);
  await manager.insert(MemberEntity, {
    accountId: account.id,
    userId: user.id,
    role: 'owner',
    createdAt,
  });
  return accountOf({ account, user });
}

export function validName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS) {
    const issue = `must have 1 to ${String(MAX_NAME_CHARACTERS)} characters`;
    throw invalidFields([{ field: 'name', issue }]);
  }
  return name;
}
