import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import type { Owner } from '../fill.js';
import { fillBaseline } from '../fill.js';
import { NodeProcess, TYPESCRIPT_LOADER } from '../node-process.js';
import type { Participant } from '../participant.js';
import { BASELINE_SCHEMA } from './schema.js';

export interface BaselineOptions {
  label: string;
  databaseUrl: string;
  /** Number of documents in the account. */
  documents: number;
  logFolder: string;
}

/** Creates the baseline's tables and an account with documents and a key, and starts its server. */
export async function startBaseline(options: BaselineOptions): Promise<Participant> {
  const { label, databaseUrl, documents, logFolder } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(BASELINE_SCHEMA);
  const { key, owner } = await createBaselineAccount(client, 'bench');
  await client.end();
  await fillBaseline(databaseUrl, [{ owner, count: documents }]);
  const server = await startBaselineServer(databaseUrl, path.join(logFolder, `${label}.log`));
  return { label, key, server };
}

/** Uses a database that contains the baseline's tables. */
export function startBaselineServer(databaseUrl: string, logFile: string): Promise<NodeProcess> {
  return NodeProcess.start({
    args: [...TYPESCRIPT_LOADER, 'bench/baseline/server.ts'],
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    logFile,
  });
}

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
  const owner = rows[0];
  if (owner === undefined) throw new Error('The baseline could not create an account.');
  return { key, owner };
}
