import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError, invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import type { TransactionalDataSource } from '../../../platform/database/transactional-data-source.js';
import { issueApiKey } from '../api-keys/api-key.js';
import { AccountEntity } from '../entities/account.entity.js';
import { ApiKeyEntity } from '../entities/api-key.entity.js';
import { MemberEntity } from '../entities/member.entity.js';
import { UserEntity } from '../entities/user.entity.js';
import type { Person } from '../person.js';
import type { Plan } from '../plan.js';
import { accountOf, type Account } from './account.js';
import { normalizeEmail } from './email-address.js';

const MAX_NAME_CHARACTERS = 200;

/** A domain reserved by RFC 2606, so no mail can reach a stranger. */
export const FIRST_EMAIL = 'owner@example.com';

/**
 * The plan is Pro. Free's 10 requests a minute would run out in the middle of a quickstart, and Pro still shows how limits work.
 */
const FIRST_OWNER = {
  email: FIRST_EMAIL,
  name: 'Owner',
  emailVerified: true,
  plan: 'pro',
} as const;

/** The owner of a new account. */
interface NewOwner {
  email: string;
  name: string;
  emailVerified: boolean;
  plan: Plan;
}

interface FoundAccount {
  account: Account;
  /** True if this call created the user and the account. */
  created: boolean;
}

/** Accounts with their owners. Ids are UUIDs. */
@Injectable()
export class AccountsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @InjectRepository(MemberEntity) private readonly members: Repository<MemberEntity>,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly clock: Clock,
  ) {}

  /** For programs without a Nest application. */
  static withoutNest(
    dataSource: TransactionalDataSource,
    database: Database,
    clock: Clock,
  ): AccountsRepository {
    return new AccountsRepository(
      database,
      dataSource.getRepository(AccountEntity),
      dataSource.getRepository(MemberEntity),
      dataSource.getRepository(UserEntity),
      clock,
    );
  }

  /**
   * Returns the oldest account owned by the user with this e-mail address. Creates both if the address is new; existing
   * ones stay unchanged. Concurrent calls create one user. Throws `bad_request` for an invalid e-mail or name.
   */
  async findOrCreateByEmail({
    email: text,
    name: givenName,
    plan,
  }: Omit<NewOwner, 'emailVerified'>): Promise<FoundAccount> {
    const email = normalizeEmail(text);
    const name = validName(givenName);
    const created = await this.database.transaction(() =>
      // The operator vouches for the addresses of users they create.
      this.insertWithOwner({ email, name, plan, emailVerified: true }),
    );
    if (created) return { account: created, created: true };
    const [owner] = await this.findOwners({ user: { email } });
    if (owner) return { account: accountOf(owner), created: false };
    const message = `The user ${email} owns no account. Use another e-mail address.`;
    throw new AppError('conflict', message);
  }

  /** Lists every account, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.findOwners({})).map(accountOf);
  }

  /** Finds an account with its owner. Throws `not_found`. */
  async find(id: string): Promise<Account> {
    const [owner] = await this.findOwners({ accountId: id });
    if (!owner) throw notFound('account');
    return accountOf(owner);
  }

  /**
   * Inserts a user with an account, in the caller's transaction. Returns `undefined` if the e-mail address is taken. Of
   * several concurrent calls, the unique index lets one insert; the others wait for it and insert nothing.
   */
  async insertWithOwner({
    email,
    name,
    plan,
    emailVerified,
  }: NewOwner): Promise<Account | undefined> {
    const createdAt = this.clock.now();
    const emailVerifiedAt = emailVerified ? createdAt : null;
    const user = { id: newUuid(), email, name, emailVerifiedAt, createdAt };
    return (await this.insertUser(user)) ? this.insertFor(user, { name, plan }) : undefined;
  }

  /** Inserts a user, in the caller's transaction. Returns false if the e-mail address is taken. */
  async insertUser(
    user: Omit<UserEntity, 'kind' | 'formerEmail' | 'formerUserSeenAt'>,
  ): Promise<boolean> {
    const inserted = await this.users
      .createQueryBuilder()
      .insert()
      .values({ ...user, formerEmail: null, formerUserSeenAt: null })
      .orIgnore()
      .returning('id')
      .updateEntity(false)
      .execute();
    return (inserted.raw as unknown[]).length > 0;
  }

  /** Inserts an account owned by an existing user, in the caller's transaction. */
  async insertFor(user: Person, { name, plan }: Pick<NewOwner, 'name' | 'plan'>): Promise<Account> {
    const createdAt = this.clock.now();
    const limits = { minuteLimit: null, hourLimit: null, dayLimit: null };
    const unset = { ...limits, firstStepsDismissedAt: null, accessEpoch: '0', suspendedAt: null };
    const connectedApps = 'everyone' as const;
    const account = { id: newUuid(), name, plan, createdAt, connectedApps, ...unset };
    await this.accounts.insert(account);
    await this.members.insert({ accountId: account.id, userId: user.id, role: 'owner', createdAt });
    return accountOf({ account, user });
  }

  /** Finds the account's row. Throws `not_found`. */
  async read(id: string): Promise<AccountEntity> {
    const account = await this.accounts.findOneBy({ id });
    if (!account) throw notFound('account');
    return account;
  }

  /**
   * Locks the account and its members against changes until the caller's transaction ends. Inserting rows that only
   * reference it, such as a key, does not wait. Throws `not_found`.
   */
  async lock(id: string): Promise<AccountEntity> {
    const lock = { mode: 'for_no_key_update' } as const;
    const account = await this.accounts.findOne({ where: { id }, lock });
    if (!account) throw notFound('account');
    return account;
  }

  async update(id: string, fields: Partial<Omit<AccountEntity, 'id'>>): Promise<void> {
    await this.accounts.update({ id }, fields);
  }

  /** Deletes the account and the rows that cascade. */
  async delete(id: string): Promise<void> {
    await this.accounts.delete({ id });
  }

  private findOwners(where: FindOptionsWhere<MemberEntity>): Promise<MemberEntity[]> {
    return this.members.find({
      where: { ...where, role: 'owner' },
      relations: { account: true, user: true },
      order: { account: { createdAt: 'ASC', id: 'ASC' } },
    });
  }
}

/** Returns the trimmed name. Throws `bad_request` if it is empty or too long. */
export function validName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_NAME_CHARACTERS) return name;
  const issue = `must have 1 to ${String(MAX_NAME_CHARACTERS)} characters`;
  throw invalidFields([{ field: 'name', issue }]);
}

/**
 * Creates the first user with an account and a key with all scopes, if there are no users. Returns the key, which cannot
 * be retrieved later, or `undefined` if there are users. Uses one transaction, so only one of several starting replicas
 * creates it.
 */
export async function ensureFirstAccount(
  dataSource: TransactionalDataSource,
): Promise<string | undefined> {
  const database = new Database(dataSource);
  const clock = new Clock();
  const accounts = AccountsRepository.withoutNest(dataSource, database, clock);
  return database.transaction(async () => {
    if (await dataSource.getRepository(UserEntity).exists()) return undefined;
    const account = await accounts.insertWithOwner(FIRST_OWNER);
    if (!account) return undefined;
    const { key, ...stored } = issueApiKey();
    await dataSource.getRepository(ApiKeyEntity).insert({
      ...stored,
      id: newUuid(),
      accountId: account.id,
      userId: account.owner.id,
      name: 'First key',
      scopes: ['*'],
      createdAt: clock.now(),
    });
    return key;
  });
}
