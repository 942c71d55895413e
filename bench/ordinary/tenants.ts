/** The accounts of both sides. Created by SQL, because the command line would take minutes. */
import pg from 'pg';
import { TypeID } from 'typeid-js';
import { issueApiKey } from '../../src/features/access/auth/api-keys/api-key.js';
import { createBaselineAccount } from '../baseline/account.js';
import type { Filling, Owner } from '../fill.js';
import { fillBaseline, fillService } from '../fill.js';
import { Draw, ordinaryDocuments } from './texts.js';
import type { Tenant } from './traffic.js';

/** Maximum number of different documents in an account. */
const DIFFERENT_DOCUMENTS = 2_000;
/** Too high to reach, so every request is really counted. */
export const MINUTE_LIMIT = 100_000_000;

/** How a side creates and fills an account, and how it shows document ids. */
export interface TenantMaker {
  makeAccount(client: pg.Client, name: string): Promise<{ key: string; owner: Owner }>;
  fill(client: pg.Client, filling: Filling): Promise<void>;
  publicId(id: string): string;
}

export const SERVICE_TENANTS: TenantMaker = {
  makeAccount: makeServiceAccount,
  fill: fillService,
  publicId: (id) => TypeID.fromUUID('doc', id).toString(),
};

export const BASELINE_TENANTS: TenantMaker = {
  makeAccount: createBaselineAccount,
  fill: fillBaseline,
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
      const draw = new Draw(seed * 10_000 + index);
      const samples = ordinaryDocuments(Math.min(documents, DIFFERENT_DOCUMENTS), draw);
      const { key, owner } = await maker.makeAccount(client, `bench-${String(index)}`);
      const filling = { owner, count: documents, samples };
      await maker.fill(client, filling);
      const ids = await readIds(client, owner.accountId);
      tenants.push({
        key,
        accountId: owner.accountId,
        documents,
        ofType: countTypes(filling),
        ids: ids.map((id) => maker.publicId(id)),
      });
    }
    await client.query('VACUUM (ANALYZE)');
    return tenants;
  } finally {
    await client.end();
  }
}

/** Creates an Enterprise account with limits too high to reach, so every request is really counted. */
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

async function readIds(client: pg.Client, accountId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM documents WHERE account_id = $1 ORDER BY id LIMIT 20000',
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Counts types by the rule of {@link Filling} for sample documents. */
function countTypes({ count, samples }: Filling): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let n = 1; n <= count; n += 1) {
    const type = samples[n % samples.length]?.type ?? '';
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}
