/** The accounts of both sides with their documents. Created by SQL, because the API would take minutes. */
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { TypeID } from 'typeid-js';
import { issueApiKey } from '../../src/features/auth/api-keys/api-key.js';
import { Draw, ordinaryDocuments } from './texts.js';
import type { Tenant } from './traffic.js';

/** Too high to reach, so every request is really counted. */
export const MINUTE_LIMIT = 100_000_000;

/** Maximum number of different documents in an account, which are used repeatedly. */
const DIFFERENT_DOCUMENTS = 2_000;
/** Limits how long a transaction and its triggers lock the account. */
const ROWS_PER_STATEMENT = 5_000;
const MAX_IDS = 20_000;

/** UUIDs of an account and of the user who creates its documents. */
export interface Owner {
  accountId: string;
  userId: string;
}

/** How a side creates an account and documents, and how it shows document ids. */
export interface TenantMaker {
  makeAccount(client: pg.Client, name: string): Promise<{ key: string; owner: Owner }>;
  /** Inserts documents $5 … $6 of $4, each one second older than the next one. */
  insert: string;
  publicId(id: string): string;
}

const SAMPLES = `
  json_to_recordset($1)
    AS sample (title text, type text, content text, metadata json, "aiSettings" json,
               "wordCount" integer, number integer)
  JOIN generate_series($5::int, $6::int) AS n ON n % $7::int + 1 = sample.number,
  LATERAL (SELECT date_trunc('milliseconds', now()) - ($4::int - n) * interval '1 second' AS at) AS made`;

/** The service's triggers update its totals. */
export const SERVICE_TENANTS: TenantMaker = {
  makeAccount: makeServiceAccount,
  insert: `
    INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata,
      ai_settings, word_count, version, created_by, created_at, updated_at)
    SELECT uuidv7(made.at - clock_timestamp()), $2, title || ' no. ' || n, type, content,
      left(content, 200), 'draft', metadata, "aiSettings", "wordCount", 1, $3, made.at, made.at
    FROM ${SAMPLES} ORDER BY n`,
  publicId: (id) => TypeID.fromUUID('doc', id).toString(),
};

export const BASELINE_TENANTS: TenantMaker = {
  makeAccount: createBaselineAccount,
  insert: `
    INSERT INTO documents (id, account_id, title, type, content, metadata, ai_settings, word_count,
      created_by, created_at, updated_at)
    SELECT uuidv7(made.at - clock_timestamp()), $2, title || ' no. ' || n, type, content, metadata,
      "aiSettings", "wordCount", $3, made.at, made.at
    FROM ${SAMPLES} ORDER BY n`,
  publicId: (id) => `doc_${id}`,
};

/** Creates this many accounts with this many documents each, which are the same on every side. */
export async function makeTenants(
  url: string,
  maker: TenantMaker,
  { accounts, documents, seed }: { accounts: number; documents: number; seed: number },
): Promise<Tenant[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tenants: Tenant[] = [];
    for (let index = 0; index < accounts; index += 1) {
      const { key, owner } = await maker.makeAccount(client, `bench-${String(index)}`);
      const ofType = await fill(client, maker, owner, documents, new Draw(seed * 10_000 + index));
      const ids = await readIds(client, owner.accountId);
      tenants.push({
        key,
        accountId: owner.accountId,
        documents,
        ofType,
        ids: ids.map((id) => maker.publicId(id)),
      });
    }
    await client.query('VACUUM (ANALYZE)');
    return tenants;
  } finally {
    await client.end();
  }
}

/** Adds documents to an account. Returns their number by type. */
async function fill(
  client: pg.Client,
  maker: TenantMaker,
  { accountId, userId }: Owner,
  count: number,
  draw: Draw,
): Promise<Record<string, number>> {
  const samples = ordinaryDocuments(Math.min(count, DIFFERENT_DOCUMENTS), draw);
  const records = JSON.stringify(
    samples.map((sample, index) => {
      return { ...sample, wordCount: sample.content.split(' ').length, number: index + 1 };
    }),
  );
  for (let first = 1; first <= count; first += ROWS_PER_STATEMENT) {
    const last = Math.min(count, first + ROWS_PER_STATEMENT - 1);
    const values = [records, accountId, userId, count, first, last, samples.length];
    await client.query(maker.insert, values);
  }
  const ofType: Record<string, number> = {};
  for (let n = 1; n <= count; n += 1) {
    const type = samples[n % samples.length]?.type ?? '';
    ofType[type] = (ofType[type] ?? 0) + 1;
  }
  return ofType;
}

/** Creates an Enterprise account with limits too high to reach. */
async function makeServiceAccount(
  client: pg.Client,
  name: string,
): Promise<{ key: string; owner: Owner }> {
  const { key, keyHash, lastFour } = issueApiKey();
  const { rows } = await client.query<Owner>(
    `WITH account AS (
       INSERT INTO accounts (id, name, plan, minute_limit, hour_limit, day_limit, created_at)
       VALUES (uuid_v7(), $1, 'enterprise', $2, 1000000000, 1000000000, now()) RETURNING id
     ), person AS (
       INSERT INTO users (id, email, name, created_at)
       VALUES (uuid_v7(), $1 || '@example.com', $1, now()) RETURNING id
     ), member AS (
       INSERT INTO members (account_id, user_id, role, created_at)
       SELECT account.id, person.id, 'owner', now() FROM account, person
     )
     INSERT INTO api_keys (id, account_id, user_id, name, key_hash, last_four, scopes, created_at)
     SELECT uuid_v7(), account.id, person.id, 'Bench', $3, $4, '{*}', now() FROM account, person
     RETURNING account_id AS "accountId", user_id AS "userId"`,
    [name, MINUTE_LIMIT, keyHash, lastFour],
  );
  return { key, owner: rows[0] as Owner };
}

/** Creates an account with one user and one key. */
async function createBaselineAccount(
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

async function readIds(client: pg.Client, accountId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM documents WHERE account_id = $1 ORDER BY id LIMIT $2',
    [accountId, MAX_IDS],
  );
  return rows.map(({ id }) => id);
}
