import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Owner } from '../fill.js';

/** Creates an account with one user and one key. */
export async function createBaselineAccount(
  client: pg.Client,
  name: string,
): Promise<{ key: string; owner: Owner }> {
  const key = `bl_live_${randomBytes(24).toString('base64url')}`;
  const { rows } = await client.query<Owner>(
    `WITH made AS (INSERT INTO users (name, email) VALUES ($1, $1 || '@example.com') RETURNING id)
     INSERT INTO api_keys (account_id, user_id, key_hash) SELECT uuidv7(), id, $2 FROM made
     RETURNING account_id AS "accountId", user_id AS "userId"`,
    [name, createHash('sha256').update(key).digest()],
  );
  return { key, owner: rows[0] as Owner };
}
