import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import {
  connectWithRetry,
  type RetryOptions,
  dataSourceOptions,
} from '../../platform/database/pools.js';
import type { TransactionalDataSource } from '../../platform/database/transactional-data-source.js';
import { SCHEMA } from '../../tables.js';
import { hasCluster } from '@document-service/embedded-postgres/cluster';
import { connectOrStartEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import { readTimeOf } from '../../platform/database/database-time.js';
import {
  migrate,
  requireOwnSchema,
  type MigrationStatus,
} from '../../platform/database/migrations.js';
import { AppError, OperatorError } from '../../platform/basics/errors/app-error.js';
import type { CliSettings } from './settings.js';

/** A migration holds its lock on one connection and runs on another. */
const CONNECTIONS = 2;

/**
 * Signals with their numbers, from which shells compute the exit code. By default, Node.js would end immediately and
 * leave behind a started database or an unfinished backup.
 */
const ENDING_SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** No retries, because a user at a terminal wants to know immediately. */
const AT_ONCE: RetryOptions = { limitMs: 0, onWait: () => undefined };

interface SessionOptions {
  retry?: RetryOptions;
  /** True if an embedded database may be created. Only for commands that fill it. */
  mayCreate?: boolean;
}

/**
 * Connects to the database of the service, running or not, calls `work`, and disconnects. If an embedded PostgreSQL is
 * not running, starts it, passes `isStarted`, and stops it afterwards or on a signal. Throws `OperatorError` for a data
 * folder without a database.
 */
export async function withDatabase<Result>(
  read: CliSettings,
  work: (dataSource: TransactionalDataSource, isStarted: boolean) => Promise<Result>,
  options: SessionOptions = {},
): Promise<Result> {
  const stopHandling = exitOnSignals();
  try {
    return await inDatabase(read, work, options);
  } finally {
    stopHandling();
  }
}

/** Exits on a signal and stops what was started. Returns a function that removes the handlers. */
function exitOnSignals(): () => void {
  const handlers = Object.entries(ENDING_SIGNALS).map(
    ([signal, number]) => [signal, () => process.exit(128 + number)] as const,
  );
  for (const [signal, handler] of handlers) process.once(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

async function inDatabase<Result>(
  { databaseUrl, dataDir }: CliSettings,
  work: (dataSource: TransactionalDataSource, isStarted: boolean) => Promise<Result>,
  { retry = AT_ONCE, mayCreate = false }: SessionOptions,
): Promise<Result> {
  if (databaseUrl !== undefined) {
    return connected(databaseUrl, (dataSource) => work(dataSource, false), retry);
  }
  if (!mayCreate) await requireDatabase(dataDir);
  const embedded = await connectOrStartEmbeddedPostgres({ dataDir });
  try {
    return await connected(embedded.url, (dataSource) => work(dataSource, embedded.owned), retry);
  } finally {
    await embedded.stop();
  }
}

/** Refuses an empty data folder. With a misspelled DATA_DIR, all data would seem to be lost. */
async function requireDatabase(dataDir: string): Promise<void> {
  if (await hasCluster(dataDir)) return;
  throw new OperatorError(
    `There is no database in the data folder ${dataDir}. Set DATA_DIR to the folder that the service uses, or DATABASE_URL to its PostgreSQL. npm start creates a new database.`,
  );
}

async function connected<Result>(
  url: string,
  work: (dataSource: TransactionalDataSource) => Promise<Result>,
  retry: RetryOptions,
): Promise<Result> {
  const dataSource = await connectWithRetry(dataSourceOptions(url, CONNECTIONS, SCHEMA), retry);
  try {
    await readTimeOf(dataSource);
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Creates the tables in an empty database. Throws `conflict` if the database lacks some of this build's migrations,
 * because upgrading is the operator's decision. Throws `OperatorError` for a database of a different build. `before` says
 * what to do before migrating.
 */
export async function requireSchema(
  dataSource: DataSource,
  dataDir?: string,
  before = '',
): Promise<void> {
  const isPending = ({ state }: MigrationStatus) => state === 'pending';
  const migrations = await requireOwnSchema(dataSource, dataDir);
  const pending = migrations.filter(isPending).length;
  if (pending === 0) return;
  if (pending < migrations.length) {
    const missing = pending === 1 ? '1 migration' : `${String(pending)} migrations`;
    throw new AppError(
      'conflict',
      `The database lacks ${missing} of this release. ${before}Migrate it first: npm run -s cli -- migrate`,
    );
  }
  await migrate(dataSource);
}
