import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import { connectPatiently, type Patience } from '../database/connect-patiently.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { connectOrStartEmbeddedPostgres } from '../database/embedded/start-embedded-postgres.js';
import { migrate, migrationStatus, requireOwnSchema } from '../database/migrations.js';
import { AppError } from '../errors/app-error.js';
import type { CliSettings } from './settings.js';

/** A migration holds its lock on one connection and works on another. */
const CONNECTIONS = 2;

/** Whoever sits at a terminal wants to know at once. */
const AT_ONCE: Patience = { limitMs: 0, onWait: () => undefined };

/**
 * Gives `work` a connection to the database of the service, running or not, and closes it. An embedded PostgreSQL that
 * nobody runs is started for the while.
 */
export async function withDatabase<Result>(
  { databaseUrl, dataDir }: CliSettings,
  work: (dataSource: DataSource) => Promise<Result>,
  patience = AT_ONCE,
): Promise<Result> {
  if (databaseUrl !== undefined) return connected(databaseUrl, work, patience);
  const embedded = await connectOrStartEmbeddedPostgres({ dataDir });
  try {
    return await connected(embedded.url, work, patience);
  } finally {
    await embedded.stop();
  }
}

async function connected<Result>(
  url: string,
  work: (dataSource: DataSource) => Promise<Result>,
  patience: Patience,
): Promise<Result> {
  const dataSource = await connectPatiently(dataSourceOptions(url, CONNECTIONS), patience);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Fills an empty database with tables. Throws `conflict` for one that lacks migrations of this build, because upgrading
 * is a decision, and `OperatorError` for the database of another build.
 */
export async function requireSchema(dataSource: DataSource, dataDir?: string): Promise<void> {
  await requireOwnSchema(dataSource, dataDir);
  const migrations = await migrationStatus(dataSource);
  const pending = migrations.filter(({ state }) => state === 'pending').length;
  if (pending === 0) return;
  if (pending < migrations.length) {
    const missing = pending === 1 ? '1 migration' : `${String(pending)} migrations`;
    throw new AppError(
      'conflict',
      `The database lacks ${missing} of this release. Migrate it first: npm run -s cli -- migrate`,
    );
  }
  await migrate(dataSource);
}
