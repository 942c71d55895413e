import { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { migrate } from '../database/migrations.js';
import { BootError } from './boot-error.js';

const OLDEST_VERSION = 15;

/** Reaches the database, checks its version and runs pending migrations. Throws a {@link BootError} in words. */
export async function prepareDatabase(config: Config): Promise<void> {
  const dataSource = new DataSource(dataSourceOptions(config.databaseUrl, 2));
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new BootError(
      `Cannot reach PostgreSQL at ${withoutPassword(config.databaseUrl)}: ${reason(error)}. Start the server or correct DATABASE_URL.`,
    );
  }
  try {
    await requireVersion(dataSource);
    if (config.migrateOnStart) await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function requireVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ version: string }[]>(
    `SELECT current_setting('server_version_num') AS version`,
  );
  const major = Math.floor(Number(row?.version) / 10_000);
  if (major < OLDEST_VERSION) {
    throw new BootError(
      `This is PostgreSQL ${String(major)}; the service needs ${String(OLDEST_VERSION)} or later. Upgrade it or correct DATABASE_URL.`,
    );
  }
}

function withoutPassword(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reason(error.errors[0]);
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
