import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import { meterPostgres } from './resources.js';

/** The PostgreSQL server of both the service and the baseline. */
export interface PostgresServer {
  version: string;
  /** Creates an empty database, replacing one with that name, and returns its URL. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  /** See {@link meterPostgres}. */
  meter(databaseUrl: string): Promise<() => Promise<number>>;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL in `dataDir`, or connects to the one at `ownUrl`. Throws if commits are not durable,
 * because figures without fsync mean nothing.
 */
export async function startPostgres(dataDir: string, ownUrl?: string): Promise<PostgresServer> {
  const embedded = ownUrl === undefined ? await startEmbeddedPostgres({ dataDir }) : undefined;
  const url = ownUrl ?? embedded?.url ?? '';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await requireDurableCommits(client);
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const quote = (name: string): string => client.escapeIdentifier(name);
  const dropDatabase = async (name: string): Promise<void> => {
    // An autovacuum worker belongs to the superuser, so FORCE may not end it. It ends by itself, or with the server.
    for (let patience = 10; patience > 0; patience -= 1) {
      try {
        await client.query(`DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== '42501') throw error;
        await wait(1_000);
      }
    }
  };
  return {
    version: rows[0]?.server_version ?? 'unknown',
    createDatabase: async (name) => {
      await dropDatabase(name);
      await client.query(`CREATE DATABASE ${quote(name)}`);
      const database = new URL(url);
      database.pathname = `/${name}`;
      return database.href;
    },
    dropDatabase,
    meter: (databaseUrl) => meterPostgres(client, new URL(databaseUrl).pathname.slice(1)),
    stop: async () => {
      await client.end();
      await embedded?.stop();
    },
  };
}

async function requireDurableCommits(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings
      WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') AND setting <> 'on'`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new Error(`The benchmark needs durable commits. Turn on ${names} of this PostgreSQL.`);
}
