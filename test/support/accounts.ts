import type { DataSource } from 'typeorm';
import { generateApiKey, hashApiKey } from '../../src/features/auth/api-keys/api-key.js';
import type { Plan } from '../../src/features/auth/plan.js';
import type { Scope } from '../../src/features/auth/scopes.js';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';

export interface TestAccount {
  /** UUIDs, for queries. */
  accountId: string;
  userId: string;
  user: { id: string; name: string; email: string };
  key: string;
  keyId: string;
}

export interface AccountOptions {
  plan?: Plan;
  scopes?: Scope[];
  expiresAt?: Date;
  allowedIps?: string[];
}

/** Creates a user with an account and one key by SQL. Tests of keys and accounts use the product instead. */
export async function makeAccount(
  dataSource: DataSource,
  options: AccountOptions = {},
): Promise<TestAccount> {
  const [accountId, userId] = [newUuid(), newUuid()];
  const email = `${userId}@example.com`;
  const name = 'Ada Lovelace';
  await dataSource.query(
    'INSERT INTO accounts (id, name, plan, created_at) VALUES ($1, $2, $3, now())',
    [accountId, name, options.plan ?? 'enterprise'],
  );
  await dataSource.query(
    'INSERT INTO users (id, email, name, email_verified_at, created_at) VALUES ($1, $2, $3, now(), now())',
    [userId, email, name],
  );
  await dataSource.query(
    `INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())`,
    [accountId, userId],
  );
  const made = await makeKey(dataSource, { accountId, userId }, options);
  return { accountId, userId, user: { id: encodeId('user', userId), name, email }, ...made };
}

/** Creates another key for an account. */
export async function makeKey(
  dataSource: DataSource,
  { accountId, userId }: { accountId: string; userId: string },
  options: AccountOptions = {},
): Promise<{ key: string; keyId: string }> {
  const key = generateApiKey();
  const keyId = newUuid();
  await dataSource.query(
    `INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, allowed_ips, expires_at, created_at)
     VALUES ($1, $2, $3, 'test', $4, $5, $6, $7, $8, now())`,
    [
      keyId,
      accountId,
      userId,
      hashApiKey(key),
      key.slice(-4),
      options.scopes ?? ['*'],
      options.allowedIps ?? [],
      options.expiresAt ?? null,
    ],
  );
  return { key, keyId };
}
