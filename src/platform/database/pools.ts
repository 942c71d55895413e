import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase, PoolConfig } from 'pg';
import {
  AbstractLogger,
  type DataSource,
  type DataSourceOptions,
  type MigrationInterface,
} from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { pausedSince, runningTime } from '../basics/clock/time-limit.js';
import { OperatorError } from '../basics/errors/app-error.js';
import { troubleOf } from '../basics/errors/database-error.js';
import { reasonOf } from '../basics/errors/reason.js';
import type { Config } from '../config/config.js';
import { TransactionalDataSource } from './transactional-data-source.js';

/** The tables and migrations of a program. Those of the service are in `src/tables.ts`. */
export interface Schema {
  entities: NonNullable<PostgresDataSourceOptions['entities']>;
  /** Oldest first. */
  migrations: (new () => MigrationInterface)[];
}

/** Limits in ms. */
interface StatementTimeLimits {
  /**
   * The server cancels a statement that waits for a lock longer than this. Shorter than `statement`, to tell the two apart.
   */
  lock?: number;
  /** The server cancels a statement that runs longer than this. */
  statement?: number;
  /**
   * The client gives up on a server that is silent for longer than this. Longer than `statement`, so the server's error
   * arrives first.
   */
  silence?: number;
}

/** Limits for requests. Migrations have none. */
export const SERVING_TIME_LIMITS = {
  lock: 3_000,
  statement: 10_000,
  silence: 12_000,
};

/** Limits for lists, searches and counts. A read that takes longer than this reads too much. */
const READING_TIME_LIMITS = { lock: 1_500, statement: 2_000 } as const;

/** A silent replica is given up sooner than a primary, because the primary can still respond. */
const REPLICA_SILENCE_MS = 2_500;

/** Limits for jobs: an import may wait for another import's rows. */
export const JOB_TIME_LIMITS: StatementTimeLimits = { statement: 600_000, silence: 605_000 };

/**
 * Sent as the time limit of connections without one: the largest that PostgreSQL accepts, 24 days. pg does not send 0,
 * and without a value, the limit of the role would apply.
 */
const NO_LIMIT_MS = 2_147_483_647;

/** TypeORM prints failed migrations to stdout even without `logging`. The errors say the same. */
class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {
    // Nothing
  }
}

/** Returns the options for TypeORM, which the service, its command line, the tests and ormconfig.ts share. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  { entities, migrations }: Schema,
  { lock = NO_LIMIT_MS, statement = NO_LIMIT_MS, silence }: StatementTimeLimits = {},
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    logger: new SilentLogger(),
    // Only migrations change the schema.
    synchronize: false,
    installExtensions: false,
    extra: {
      max: poolSize,
      application_name: 'document-service',
      // An unreachable database must produce an error response, not a hanging request.
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      lock_timeout: lock,
      statement_timeout: statement,
      onConnect: async (client: ClientBase) => {
        // Between two uses, a connection has no error listener from the pool or TypeORM, and an unhandled 'error' event
        // would end the process. The statement in use fails on its own.
        client.on('error', () => undefined);
        // Connections of the command line and of migrations have no limit, and may lead to a standby.
        if (silence === undefined) return;
        setSocketTimeout(client, silence);
        await requirePrimary(client);
      },
    },
  };
}

/**
 * Returns the options for requests. With DATABASE_DIRECT_URL, DATABASE_URL may lead to a pooler, which accepts no startup
 * parameters: its role has the limits instead, which `requirePooledRole` checks.
 */
export function requestOptions(
  { databaseUrl, directUrl, isPooled, readUrl }: Config,
  poolSize: number,
  schema: Schema,
): PostgresDataSourceOptions {
  const options = dataSourceOptions(databaseUrl, poolSize, schema, SERVING_TIME_LIMITS);
  const limits = isPooled ? { lock_timeout: undefined, statement_timeout: undefined } : {};
  return { ...options, extra: { ...options.extra, ...limits, directUrl, readUrl } as object };
}

/**
 * Returns the options of a second pool, half as large, for lists, searches and counts. Its connections have shorter
 * limits than requests, so they lead to a server, never to a pooler.
 */
export function readingPoolOptions(options: DataSourceOptions, poolSize: number): PoolConfig {
  const { url, extra } = options as { url: string; extra: PoolConfig & { directUrl?: string } };
  return {
    ...extra,
    connectionString: extra.directUrl ?? url,
    max: Math.max(1, Math.floor(poolSize / 2)),
    lock_timeout: READING_TIME_LIMITS.lock,
    statement_timeout: READING_TIME_LIMITS.statement,
    // One generic plan fits all accounts and pages. PostgreSQL often estimates a custom plan to be cheaper, but
    // creating it for each request takes as long as the read.
    options: '-c plan_cache_mode=force_generic_plan',
  };
}

/** Returns the options of {@link readingPoolOptions} for the replica, if there is one. */
export function replicaOptions(
  options: DataSourceOptions,
  poolSize: number,
): PoolConfig | undefined {
  const { readUrl } = options.extra as { readUrl?: string };
  if (readUrl === undefined) return undefined;
  const onConnect = (client: ClientBase) => {
    client.on('error', () => undefined);
    setSocketTimeout(client, REPLICA_SILENCE_MS);
  };
  return { ...readingPoolOptions(options, poolSize), connectionString: readUrl, onConnect };
}

/**
 * Rejects if the server is a standby. After a failover, an address can still lead to the former primary, where reads are old
 * and changes fail. A primary becomes a standby only by a restart, so one check per connection is enough.
 */
async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>(
    'SELECT pg_is_in_recovery() AS standby',
  );
  if (rows[0]?.standby !== true) return;
  // As PostgreSQL reports a change on a standby.
  const message = 'The PostgreSQL server is a standby. DATABASE_URL must lead to the primary.';
  throw Object.assign(new Error(message), { code: '25006' });
}

/** Properties that pg's type declarations omit. */
type Connected = ClientBase & {
  connection: { stream: Socket };
  /** False while a statement runs. */
  readyForQuery: boolean;
};

/**
 * Closes a connection whose server has sent nothing for `limitMs` while a statement runs, so that a lost server or
 * network produces an error response. The socket has one timer, which every byte restarts. pg's own `query_timeout`
 * creates a timer per statement and keeps what the statement read in memory until the next major garbage collection.
 * After a pause of this process, it waits once more, because bytes that arrived during the pause have not been read yet.
 */
export function setSocketTimeout(client: ClientBase, limitMs: number): void {
  const connected = client as Connected;
  const stream = socketOf(client);
  stream.setTimeout(limitMs);
  // The last call applies.
  stream.removeAllListeners('timeout');
  // The callback of setTimeout() would run only once, at the first long idle period of the connection.
  stream.on('timeout', () => {
    if (connected.readyForQuery) return;
    if (pausedSince(performance.now() - limitMs)) stream.setTimeout(limitMs);
    else stream.destroy(silenceError(limitMs));
  });
}

export function socketOf(client: ClientBase): Socket {
  return (client as Connected).connection.stream;
}

function silenceError(limitMs: number): Error {
  const error = new Error(`PostgreSQL has sent nothing for ${String(limitMs)} ms.`);
  return Object.assign(error, { code: 'ETIMEDOUT' });
}

/** PgBouncer's response to a time limit. */
const REFUSED_BY_POOLER = /unsupported startup parameter/;
const RETRY_EVERY_MS = 250;
const REPORT_EVERY_MS = 5_000;

/** How to wait for an unavailable server. */
export interface RetryOptions {
  limitMs: number;
  /** Called immediately and then every five seconds, with the reason for the last failure. */
  onWait: (reason: string) => void;
  /** Stops waiting when aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Connects, and retries while the server is unreachable or has no free connection. Rejects with the last error, or at
 * once if the server refuses the user or database. Rejects with an `OperatorError` if a pooler refuses or drops the time
 * limits: through it, session locks and temporary tables would fail too.
 */
export async function connectWithRetry(
  options: PostgresDataSourceOptions,
  { limitMs, onWait, signal }: RetryOptions,
): Promise<TransactionalDataSource> {
  const deadline = runningTime() + limitMs;
  let reportAt = 0;
  for (;;) {
    try {
      const dataSource = await new TransactionalDataSource(options).initialize();
      await requireTimeLimit(dataSource);
      return dataSource;
    } catch (error) {
      const reason = reasonOf(error);
      if (REFUSED_BY_POOLER.test(reason)) throw poolerError(reason);
      const now = runningTime();
      if (now >= deadline || signal?.aborted || !isTemporary(error)) throw error;
      if (now >= reportAt) {
        onWait(reason);
        reportAt = now + REPORT_EVERY_MS;
      }
    }
    await wait(RETRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function requireTimeLimit(dataSource: DataSource): Promise<void> {
  const { url, extra } = dataSource.options as { url: string; extra: PoolConfig };
  const sent = extra.statement_timeout;
  // pg prefers the parameters of the URL.
  if (sent === undefined || url.includes('statement_timeout=')) return;
  const [row] = await dataSource.query<{ setting: string }[]>(
    `SELECT setting FROM pg_settings WHERE name = 'statement_timeout'`,
  );
  if (Number(row?.setting) === sent) return;
  await dataSource.destroy();
  throw poolerError('it ignores statement_timeout');
}

function poolerError(reason: string): OperatorError {
  return new OperatorError(
    `The connection to the database leads to a pooler such as PgBouncer (${reason}). Only DATABASE_URL may, to PgBouncer 1.21 or later and without startup parameters. Set DATABASE_DIRECT_URL, and DATABASE_READ_URL if used, to the address of PostgreSQL itself (docs/operate/pgbouncer-and-read-replicas.md).`,
  );
}

function isTemporary(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === 'unreachable' || trouble === 'overloaded';
}
