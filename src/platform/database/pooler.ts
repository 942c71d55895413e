import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { OperatorError } from '../basics/errors/app-error.js';
import { reasonOf } from '../basics/errors/reason.js';

/** Rounds of the probe for prepared statements. On an idle pooler, the first one fails. */
const ROUNDS = 10;
/** SQLSTATEs of a prepared statement that is missing, or that another client has created. */
const MISPLACED = ['26000', '42P05'];
const TRANSACTIONS_REFUSED = /statement pooling mode/;

/**
 * Checks that requests can use these connections, which need at least two and may lead to a pooler: that prepared
 * statements and transactions work, that the database is that of `direct`, and that the role has `settings`. Throws an
 * `OperatorError`.
 */
export async function requirePooledRole(
  pooled: DataSource,
  direct: DataSource,
  settings: Record<string, string>,
): Promise<void> {
  try {
    await useStatements(pooled);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!MISPLACED.includes(code ?? '') && !TRANSACTIONS_REFUSED.test(message)) throw error;
    throw new OperatorError(
      `DATABASE_URL leads to a pooler that cannot serve requests (${reasonOf(error)}). Use PgBouncer 1.21 or later with pool_mode = transaction and max_prepared_statements = 500.`,
    );
  }
  const [[own], [other]] = await Promise.all([identityOf(pooled), identityOf(direct)]);
  if (own?.identity !== other?.identity) {
    throw new OperatorError(
      `DATABASE_URL and DATABASE_DIRECT_URL lead to different databases (${own?.name ?? ''}, ${other?.name ?? ''}). Correct one of them.`,
    );
  }
  await requireSettings(pooled, settings);
}

/**
 * Two clients create and reuse prepared statements of the same name. A pooler that does not know prepared statements gives
 * a statement to whichever server connection is free.
 */
async function useStatements(pooled: DataSource): Promise<void> {
  const runners = [pooled.createQueryRunner(), pooled.createQueryRunner()];
  try {
    const clients = (await Promise.all(runners.map((one) => one.connect()))) as PoolClient[];
    for (let round = 0; round < ROUNDS; round += 1) {
      const statement = { name: randomUUID(), text: 'SELECT 1' };
      for (const client of [...clients, ...clients]) await client.query(statement);
    }
    await runners[0]?.startTransaction();
    await runners[0]?.commitTransaction();
  } finally {
    await Promise.all(runners.map((one) => one.release()));
  }
}

/** Identifies a database, also on its physical replicas. */
function identityOf(dataSource: DataSource): Promise<{ identity: string; name: string }[]> {
  return dataSource.query(
    `SELECT concat(system_identifier, '/', current_database()) AS identity, current_database() AS name
       FROM pg_control_system()`,
  );
}

/** Throws an `OperatorError` with the statements that correct the settings of the role. */
async function requireSettings(
  pooled: DataSource,
  settings: Record<string, string>,
): Promise<void> {
  // A setting of the role in this database overrides one of the role.
  const wrong = await pooled.query<{ statement: string }[]>(
    `SELECT format('ALTER ROLE %I %sSET %I = %L;', session_user,
                   CASE WHEN source = 'database user' THEN format('IN DATABASE %I ', current_database()) END,
                   name, wanted) AS statement
       FROM unnest($1::text[], $2::text[]) AS required (name, wanted) JOIN pg_settings USING (name)
      WHERE current_setting(name) <> wanted ORDER BY name`,
    [Object.keys(settings), Object.values(settings)],
  );
  if (wrong.length === 0) return;
  throw new OperatorError(
    `With DATABASE_DIRECT_URL, the role of DATABASE_URL must have the time limits of requests. Run these statements in PostgreSQL, restart the pooler, and start again: ${wrong.map(({ statement }) => statement).join(' ')}`,
  );
}
