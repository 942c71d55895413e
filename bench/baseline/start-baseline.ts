import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { fillBaseline } from '../fill.js';
import { NodeProcess, TYPESCRIPT_LOADER } from '../node-process.js';
import type { Participant } from '../participant.js';
import { BASELINE_SCHEMA } from './schema.js';

export interface BaselineOptions {
  label: string;
  databaseUrl: string;
  /** Documents in the account. */
  documents: number;
  logFolder: string;
}

/** Makes the baseline's tables and its account with documents and a key, and starts its server. */
export async function startBaseline(options: BaselineOptions): Promise<Participant> {
  const { label, databaseUrl, documents, logFolder } = options;
  const key = `bl_live_${randomBytes(24).toString('base64url')}`;
  const owner = await createAccount(databaseUrl, key);
  await fillBaseline(databaseUrl, owner, documents);
  const server = await NodeProcess.start({
    args: [...TYPESCRIPT_LOADER, 'bench/baseline/server.ts'],
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    logFile: path.join(logFolder, `${label}.log`),
  });
  return { label, key, server };
}

async function createAccount(
  databaseUrl: string,
  key: string,
): Promise<{ accountId: string; userId: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(BASELINE_SCHEMA);
    const { rows } = await client.query<{ accountId: string; userId: string }>(
      `WITH made AS (INSERT INTO users (name, email) VALUES ('Bench', 'bench@example.com') RETURNING id)
       INSERT INTO api_keys (account_id, user_id, key_hash) SELECT uuidv7(), id, $1 FROM made
       RETURNING account_id AS "accountId", user_id AS "userId"`,
      [createHash('sha256').update(key).digest()],
    );
    const owner = rows[0];
    if (owner === undefined) throw new Error('The baseline could not make its account.');
    return owner;
  } finally {
    await client.end();
  }
}
