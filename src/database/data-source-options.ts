import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { ENTITIES } from './entities.js';
import { FirstTables1760000001000 } from './migrations/1760000001000-first-tables.js';
import { RateLimits1760000002000 } from './migrations/1760000002000-rate-limits.js';

/** Every migration, oldest first. */
const MIGRATIONS = [FirstTables1760000001000, RateLimits1760000002000];

/** How TypeORM reaches `url`; shared by the service, its command line, the tests and ormconfig.ts. */
export function dataSourceOptions(url: string, poolSize: number): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities: ENTITIES,
    migrations: MIGRATIONS,
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
    },
  };
}

/** The same for serving requests: a statement that takes too long is ended, by the server or, if that is gone, here. */
export function servingDataSourceOptions(url: string, poolSize: number): PostgresDataSourceOptions {
  const options = dataSourceOptions(url, poolSize);
  return {
    ...options,
    extra: { ...options.extra, statement_timeout: 10_000, query_timeout: 12_000 },
  };
}
