import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { OperatorError } from '../basics/errors/app-error.js';
import { reasonOf } from '../basics/errors/reason.js';
import { SERVING_TIME_LIMITS } from './pools.js';

/** Identifies a database, also on its physical replicas. */
export const IDENTITY = {
  name: 'database.identity',
  text: `SELECT concat(system_identifier, '/', current_database()) AS identity FROM pg_control_system()`,
};

/** Rounds of the probe for prepared statements. On an idle pooler, the first one fails. */
const ROUNDS = 10;
/** SQLSTATEs of a prepared statement that is missing, or that another client has created. */
const MISPLACED = ['26000', '42P05'];
const TRANSACTIONS_REFUSED = /statement pooling mode/;

/**
 * Checks that requests can use these connections, which need at least two and may lead to a pooler: that prepared
 * statements and transactions work, that the database is that of `direct`, and that the role has the time limits of
 * requests. Throws an `OperatorError`.
 */
export async function requirePooledRole(pooled: DataSource, direct: DataSource): Promise<void> {
  try {
    await useStatements(pooled);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!MISPLACED.includes(code ?? '') && !TRANSACTIONS_REFUSED.test(message)) throw error;
    throw new OperatorError(
      `DATABASE_URL leads to a pooler that cannot serve requests (${reasonOf(error)}). Use PgBouncer 1.21 or later with pool_mode = transaction and max_prepared_statements = 500.`,
    );
  }
  await requireSameDatabase(pooled, direct, 'DATABASE_URL');
  await requireTimeLimits(pooled);
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

/** Throws an `OperatorError` if the variable leads to a database other than `direct`, or a replica of another one. */
async function requireSameDatabase(
  dataSource: DataSource,
  direct: DataSource,
  variable: string,
): Promise<void> {
  const [one, other] = await Promise.all(
    [dataSource, direct].map((each) => each.query<{ identity: string }[]>(IDENTITY.text)),
  );
  if (one?.[0]?.identity === other?.[0]?.identity) return;
  throw new OperatorError(
    `${variable} leads to another database than migrations do (DATABASE_DIRECT_URL, or DATABASE_URL). Correct one of them.`,
  );
}

/** Throws an `OperatorError` if DATABASE_READ_URL does not lead to a replica of `direct`. */
export async function requireReplica(replica: DataSource, direct: DataSource): Promise<void> {
  await requireSameDatabase(replica, direct, 'DATABASE_READ_URL');
  const text = 'SELECT pg_is_in_recovery() AS "isReplica"';
  const [row] = await replica.query<{ isReplica: boolean }[]>(text);
  if (row?.isReplica) return;
  throw new OperatorError('DATABASE_READ_URL leads to a server that is not a replica.');
}

/** Throws an `OperatorError` with the statements that correct the settings of the role. */
async function requireTimeLimits(pooled: DataSource): Promise<void> {
  const { lock, statement } = SERVING_TIME_LIMITS;
  // A setting of the role in this database overrides one of the role.
  const wrong = await pooled.query<{ statement: string }[]>(
    `SELECT format('ALTER ROLE %I %sSET %I = %L;', session_user,
                   CASE WHEN source = 'database user' THEN format('IN DATABASE %I ', current_database()) END,
                   name, wanted) AS statement
       FROM (VALUES ('lock_timeout', $1), ('statement_timeout', $2)) AS required (name, wanted) JOIN pg_settings USING (name)
      WHERE current_setting(name) <> wanted ORDER BY name`,
    [lock, statement].map((ms) => `${String(ms / 1_000)}s`),
  );
  if (wrong.length === 0) return;
  throw new OperatorError(
    `With DATABASE_DIRECT_URL, the role of DATABASE_URL must have the time limits of requests. Run these statements in PostgreSQL, restart the pooler, and start again: ${wrong.map(({ statement }) => statement).join(' ')}`,
  );
}
