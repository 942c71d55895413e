import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';

declare global {
  /** Defined by `service-environment.cjs`: runs a statement on the connection that a worker's test files share. */
  var runAsAdmin: (url: string, statement: string) => Promise<void>;
}

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The database of one test file, with all tables. */
export interface TestDatabase {
  url: string;
  /** Drops it, and closes all remaining connections. */
  drop(): Promise<void>;
}

/**
 * Creates a database on the PostgreSQL from the global setup, as a copy of its migrated template or of another database
 * without connections (about 20 ms).
 */
export async function createTestDatabase(
  template = requiredVariable('TEST_DATABASE_TEMPLATE'),
): Promise<TestDatabase> {
  const server = requiredVariable('TEST_DATABASE_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // The other strategy writes each page to the WAL, which takes five times as long.
  await runAsAdmin(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: databaseUrl(server, name),
    drop: () => dropDatabase(server, name),
  };
}

/** Only a superuser can cut off PostgreSQL's own vacuuming. Without FORCE, the vacuuming ends on its own. */
async function dropDatabase(server: string, name: string): Promise<void> {
  try {
    await runAsAdmin(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    await runAsAdmin(server, `DROP DATABASE IF EXISTS ${name}`);
  }
}

/** Also opens a connection for queries, for tests of the real program. `drop()` closes both. */
export async function openTestDatabase(): Promise<TestDatabase & { dataSource: DataSource }> {
  const database = await createTestDatabase();
  const dataSource = await new DataSource(dataSourceOptions(database.url, 2, SCHEMA)).initialize();
  return {
    url: database.url,
    dataSource,
    drop: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a separate connection. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(
      `${name} is not set: run tests with npm test, whose global setup starts PostgreSQL.`,
    );
  }
  return value;
}
