import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';

const COUNT: Statement = {
  name: 'oauth.count-apps',
  text: `SELECT count(*)::integer AS apps FROM api_keys
          WHERE account_id = $1 AND user_id = $2 AND client IS NOT NULL AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > $3)`,
};

/** The account first, as in its deletion: the statements of an exchange must not wait for each other in a circle. */
const LOCK_ACCOUNT: Statement = {
  name: 'oauth.lock-account',
  text: 'SELECT FROM accounts WHERE id = $1 FOR KEY SHARE',
};

const LOCK_MEMBER: Statement = {
  name: 'oauth.lock-member',
  text: 'SELECT FROM members WHERE account_id = $1 AND user_id = $2 FOR NO KEY UPDATE',
};

/** Counts the connected apps of a person in an account. Ids are UUIDs. */
@Injectable()
export class AppKeysRepository {
  constructor(private readonly database: Database) {}

  async count(accountId: string, userId: string, now: Date): Promise<number> {
    const [row] = await this.database.run<{ apps: number }>(COUNT, [accountId, userId, now]);
    return row?.apps ?? 0;
  }

  /** Keeps the account from being deleted until the caller's transaction ends. */
  async lockAccount(accountId: string): Promise<void> {
    await this.database.run(LOCK_ACCOUNT, [accountId]);
  }

  /** Lets nobody else connect an app for this person, or remove them, until the caller's transaction ends. */
  async lockMember(accountId: string, userId: string): Promise<void> {
    await this.database.run(LOCK_MEMBER, [accountId, userId]);
  }
}
