import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { AppError, invalidFields } from '../../errors/app-error.js';
import { newUuid } from '../../identifiers/identifiers.js';
import type { Plan } from '../plan.js';
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_OWNER_JOINS,
  fromRow,
  type Account,
  type AccountRow,
} from './account.js';
import { normaliseEmail } from './email-address.js';

/** The unique e-mail decides between concurrent calls: one inserts all three rows, the others wait for it and insert none. */
const CREATE: Statement = {
  name: 'accounts.create',
  text: `WITH owner AS (
           INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, $3, $6)
           ON CONFLICT (email) DO NOTHING RETURNING *
         ), account AS (
           INSERT INTO accounts (id, name, plan, created_at) SELECT $4, name, $5, created_at FROM owner RETURNING *
         ), member AS (
           INSERT INTO members (account_id, user_id, role, created_at)
           SELECT account.id, owner.id, 'owner', owner.created_at FROM owner, account
         )
         SELECT ${ACCOUNT_COLUMNS} FROM owner, account`,
};

const FIND_BY_EMAIL: Statement = {
  name: 'accounts.find-by-email',
  text: `SELECT ${ACCOUNT_COLUMNS} FROM accounts AS account ${ACCOUNT_OWNER_JOINS}
          WHERE owner.email = $1 ORDER BY account.created_at, account.id LIMIT 1`,
};

const LIST: Statement = {
  name: 'accounts.list',
  text: `SELECT ${ACCOUNT_COLUMNS} FROM accounts AS account ${ACCOUNT_OWNER_JOINS} ORDER BY account.created_at, account.id`,
};

const MAX_NAME_CHARACTERS = 200;

export interface Person {
  email: string;
  name: string;
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
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * The oldest account that the user with this e-mail owns; user and account are made when the e-mail is new. Whatever
   * exists is left as it is. Concurrent calls make one user. Throws `bad_request` for a wrong e-mail or name.
   */
  async findOrCreateByEmail(person: Person): Promise<FoundAccount> {
    const email = normaliseEmail(person.email);
    const name = validName(person.name);
    const values = [newUuid(), email, name, newUuid(), person.plan, this.clock.now()];
    const [created] = await this.database.run<AccountRow>(CREATE, values);
    if (created) return { account: fromRow(created), created: true };
    const [found] = await this.database.run<AccountRow>(FIND_BY_EMAIL, [email]);
    if (!found)
      throw new AppError(
        'conflict',
        `The user ${email} owns no account. Use another e-mail address.`,
      );
    return { account: fromRow(found), created: false };
  }

  /** Every account, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.database.run<AccountRow>(LIST, [])).map(fromRow);
  }
}

function validName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS) {
    const issue = `must have 1 to ${String(MAX_NAME_CHARACTERS)} characters`;
    throw invalidFields([{ field: 'name', issue }]);
  }
  return name;
}
