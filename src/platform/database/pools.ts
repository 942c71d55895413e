import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase, PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { pausedSince, runningTime } from '../basics/clock/time-limit.js';
import { troubleOf } from '../basics/errors/database-error.js';
import { reasonOf } from '../basics/errors/reason.js';

/** The tables and migrations of a program. The service's own are in `src/tables.ts`. */
export interface Schema {
  entities: NonNullable<PostgresDataSourceOptions['entities']>;
  /** Oldest first. */
  migrations: (new () => MigrationInterface)[];
}

/** In milliseconds. */
interface StatementTimeLimits {
  /** When the server ends a statement that waits for what others hold; shorter, so that it is told apart. */
  lock?: number;
  /** When the server ends a statement. */
  statement?: number;
  /** When the client gives up a server that says nothing; longer, so that the server's word comes first. */
  silence?: number;
}

/** For serving requests. Migrations may take as long as they need. */
export const SERVING_TIME_LIMITS: StatementTimeLimits = {
  lock: 3_000,
  statement: 10_000,
  silence: 12_000,
};

/** For what clients read in any amount. A longer read would be one of too much. */
const READING_TIME_LIMITS = { lock: 1_500, statement: 2_000 } as const;

/** For jobs: an import that waits for another one's rows may take a while. */
export const JOB_TIME_LIMITS: StatementTimeLimits = { statement: 600_000, silence: 605_000 };

/** How TypeORM reaches `url`; shared by the service, its command line, the tests and ormconfig.ts. */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  { entities, migrations }: Schema,
  { lock, statement, silence }: StatementTimeLimits = {},
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    // The schema changes by migrations only.
    synchronize: false,
    installExtensions: false,
    extra: {
      max: poolSize,
      application_name: 'document-service',
      // A lost database must become an answer, not a hanging request.
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...(lock !== undefined && { lock_timeout: lock }),
      ...(statement !== undefined && { statement_timeout: statement }),
      onConnect: (client: ClientBase) => {
        // Between being idle and in use a connection has no listener of the pool or of TypeORM, and an 'error' that
        // nobody hears ends the process. Whoever uses the connection sees its own statement fail.
        client.on('error', () => undefined);
        if (silence !== undefined) setSocketTimeout(client, silence);
      },
    },
  };
}

/** A pool beside that of `options`, half as large, for what clients read in any amount. */
export function readingPoolOptions(options: DataSourceOptions, poolSize: number): PoolConfig {
  const { url, extra } = options as { url: string; extra: PoolConfig };
  return {
    connectionString: url,
    ...extra,
    max: Math.max(1, Math.floor(poolSize / 2)),
    lock_timeout: READING_TIME_LIMITS.lock,
    statement_timeout: READING_TIME_LIMITS.statement,
    // The plan that is kept serves any account and page. One for just these values often looks cheaper to PostgreSQL, and
    // making it at each request takes as long as the read.
    options: '-c plan_cache_mode=force_generic_plan',
  };
}

/** What pg's declarations leave out. */
type Connected = ClientBase & {
  connection: { stream: Socket };
  /** False while a statement is under way. */
  readyForQuery: boolean;
};

/**
 * Ends a connection whose server says nothing for `limitMs` while a statement is under way, so that a lost server or
 * network becomes an answer. The socket has one timer, which every byte starts anew; pg's own `query_timeout` makes a
 * timer of every statement, of which what it read stays in memory until the next full collection.
 * After a pause of this process it waits once more: what the server said meanwhile is not read yet.
 */
export function setSocketTimeout(client: ClientBase, limitMs: number): void {
  const connected = client as Connected;
  const { stream } = connected.connection;
  stream.setTimeout(limitMs);
  // Not as an argument of setTimeout(), which listens once only: to the first time the connection is idle for long.
  stream.on('timeout', () => {
    if (connected.readyForQuery) return;
    if (pausedSince(performance.now() - limitMs)) stream.setTimeout(limitMs);
    else stream.destroy(silence(limitMs));
  });
}

function silence(limitMs: number): Error {
  const error = new Error(`PostgreSQL has said nothing for ${String(limitMs)} ms.`);
  return Object.assign(error, { code: 'ETIMEDOUT' });
}

const RETRY_EVERY_MS = 250;
const TELL_EVERY_MS = 5_000;

/** How to wait for a server that does not answer yet. */
export interface Patience {
  limitMs: number;
  /** Called at once and every five seconds while it waits, with the reason of the last attempt. */
  onWait: (reason: string) => void;
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * Connects; to a server that cannot be reached or is full, again and again. Rejects with the last error, and at once when
 * the server refuses this user or database, which no waiting mends.
 */
export async function connectPatiently(
  options: PostgresDataSourceOptions,
  { limitMs, onWait, signal }: Patience,
): Promise<DataSource> {
  const deadline = runningTime() + limitMs;
  let tellAt = 0;
  for (;;) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      const now = runningTime();
      if (now >= deadline || signal?.aborted || !mayPass(error)) throw error;
      if (now >= tellAt) {
        onWait(reasonOf(error));
        tellAt = now + TELL_EVERY_MS;
      }
    }
    await wait(RETRY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

function mayPass(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble === 'unreachable' || trouble === 'overloaded';
}
