import type { DataSource } from 'typeorm';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { newUuid } from '../../identifiers/identifiers.js';
import { generateApiKey, hashApiKey } from '../api-key.js';
import type { Plan } from '../plan.js';
import type { Scope } from '../scopes.js';

/** A name of RFC 2606: no mail ever reaches a stranger. */
export const FIRST_EMAIL = 'owner@example.com';
/** Free ends at 10 requests a minute, in the middle of a newcomer's tour; Pro does not, and still shows what limits are. */
const FIRST_PLAN: Plan = 'pro';
const FIRST_SCOPES: readonly Scope[] = ['*'];

/**
 * User, account, member and key in one statement: a process killed here leaves nothing or all. Replicas that boot at
 * once meet at the unique e-mail, where one inserts and the others wait for it and insert nothing.
 */
const CREATE_FIRST: Statement = {
  name: 'accounts.create-first',
  text: `WITH owner AS (
           INSERT INTO users (id, email, name, created_at)
           SELECT $1::uuid, $2, 'Owner', $3::timestamptz WHERE NOT EXISTS (SELECT FROM users)
           ON CONFLICT (email) DO NOTHING RETURNING *
         ), account AS (
           INSERT INTO accounts (id, name, plan, created_at) SELECT $4::uuid, name, $5, created_at FROM owner RETURNING *
         ), member AS (
           INSERT INTO members (account_id, user_id, role, created_at)
           SELECT account.id, owner.id, 'owner', owner.created_at FROM owner, account
         )
         INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, created_at)
         SELECT $6::uuid, account.id, owner.id, 'First key', $7::bytea, $8, $9::text[], owner.created_at FROM owner, account
         RETURNING id`,
};

/**
 * Makes a first user with an account and a key that may do everything, when there is no user at all. Returns the key,
 * which cannot be had again, or `undefined` when there are users already.
 */
export async function ensureFirstAccount(
  dataSource: DataSource,
  clock = new Clock(),
): Promise<string | undefined> {
  const key = generateApiKey();
  const made = await new Database(dataSource).run(CREATE_FIRST, [
    newUuid(),
    FIRST_EMAIL,
    clock.now(),
    newUuid(),
    FIRST_PLAN,
    newUuid(),
    hashApiKey(key),
    key.slice(-4),
    FIRST_SCOPES,
  ]);
  return made.length === 1 ? key : undefined;
}
