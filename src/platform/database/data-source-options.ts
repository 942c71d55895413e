import type { ClientBase, PoolConfig } from 'pg';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { setSocketTimeout } from './socket-timeout.js';

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
