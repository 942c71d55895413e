import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';

declare global {
  /** Of `service-environment.cjs`: runs a statement on the connection that the test files of a worker share. */
  var runAsAdmin: (url: string, statement: string) => Promise<void>;
}

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** A database of one test file's own, with all tables. */
export interface TestDatabase {
  url: string;
  /** Removes it, cutting whatever is still connected. */
  drop(): Promise<void>;
}

/**
 * Makes a fresh database on the PostgreSQL that the global set-up started, as a copy of its migrated template,
 * or of another database to which nobody is connected (some 20 ms).
 */
export async function createTestDatabase(
  template = requiredVariable('TEST_DATABASE_TEMPLATE'),
): Promise<TestDatabase> {
  const server = requiredVariable('TEST_DATABASE_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // The other strategy writes each page to the log, which takes five times as long.
  await runAsAdmin(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return {
    url: databaseUrl(server, name),
    drop: () => dropDatabase(server, name),
  };
}

/** Nobody but a superuser may cut off PostgreSQL's own vacuuming, which ends by itself when it is not forced. */
async function dropDatabase(server: string, name: string): Promise<void> {
  try {
    await runAsAdmin(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    await runAsAdmin(server, `DROP DATABASE IF EXISTS ${name}`);
  }
}

/** The same with a connection to look into it, for tests of the real program; `drop()` closes both. */
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

/** The address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs one statement on a connection of its own. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(
      `${name} is not set: run tests with npm test, whose global set-up starts PostgreSQL.`,
    );
  }
  return value;
}
