import type { DataSourceOptions } from 'typeorm';
import { ENTITIES } from './entities.js';
import { FirstTables1760000001000 } from './migrations/1760000001000-first-tables.js';
import { RateLimits1760000002000 } from './migrations/1760000002000-rate-limits.js';

/** Every migration, oldest first. */
const MIGRATIONS = [FirstTables1760000001000, RateLimits1760000002000];

/** How TypeORM reaches `url`; shared by the service, its command line, the tests and ormconfig.ts. */
export function dataSourceOptions(url: string, poolSize: number): DataSourceOptions {
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
      statement_timeout: 15_000,
      keepAlive: true,
    },
  };
}
