import type { ClientBase, PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { ENTITIES } from './entities.js';
import { FirstTables1760000001000 } from './migrations/1760000001000-first-tables.js';
import { RateLimits1760000002000 } from './migrations/1760000002000-rate-limits.js';
import { DocumentChanges1760000003000 } from './migrations/1760000003000-document-changes.js';
import { WebhookDelivery1760000005000 } from './migrations/1760000005000-webhook-delivery.js';
import { EventStream1760000006000 } from './migrations/1760000006000-event-stream.js';
import { Templates1760000007000 } from './migrations/1760000007000-templates.js';
import { Usage1760000008000 } from './migrations/1760000008000-usage.js';
import { Jobs1760000009000 } from './migrations/1760000009000-jobs.js';
import { DocumentSearch1760000010000 } from './migrations/1760000010000-document-search.js';
import { DeliveryBatches1760000011000 } from './migrations/1760000011000-delivery-batches.js';
import { FasterSearch1760000012000 } from './migrations/1760000012000-faster-search.js';
import { SortedSearch1760000013000 } from './migrations/1760000013000-sorted-search.js';
import { RememberedFacets1760000014000 } from './migrations/1760000014000-remembered-facets.js';
import { LoosePhrases1760000015000 } from './migrations/1760000015000-loose-phrases.js';
import { OutcomesOfPrincipals1760000016000 } from './migrations/1760000016000-outcomes-of-principals.js';
import { SecretsKeyCheck1760000016001 } from './migrations/1760000016001-secrets-key-check.js';
import { RemovedSubjects1760000016002 } from './migrations/1760000016002-removed-subjects.js';
import { ClockSteps1760000018000 } from './migrations/1760000018000-clock-steps.js';
import { FoundWords1760000019000 } from './migrations/1760000019000-found-words.js';
import { TemplateTexts1760000021000 } from './migrations/1760000021000-template-texts.js';
import { giveUpWhenSilent } from './silent-server.js';

/** Every migration, oldest first. */
const MIGRATIONS = [
  FirstTables1760000001000,
  RateLimits1760000002000,
  DocumentChanges1760000003000,
  WebhookDelivery1760000005000,
  EventStream1760000006000,
  Templates1760000007000,
  Usage1760000008000,
  Jobs1760000009000,
  DocumentSearch1760000010000,
  DeliveryBatches1760000011000,
  FasterSearch1760000012000,
  SortedSearch1760000013000,
  RememberedFacets1760000014000,
  LoosePhrases1760000015000,
  OutcomesOfPrincipals1760000016000,
  SecretsKeyCheck1760000016001,
  RemovedSubjects1760000016002,
  ClockSteps1760000018000,
  FoundWords1760000019000,
  TemplateTexts1760000021000,
];

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
  { lock, statement, silence }: StatementTimeLimits = {},
): PostgresDataSourceOptions {
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
      ...(lock !== undefined && { lock_timeout: lock }),
      ...(statement !== undefined && { statement_timeout: statement }),
      onConnect: (client: ClientBase) => {
        // Between being idle and in use a connection has no listener of the pool or of TypeORM, and an 'error' that
        // nobody hears ends the process. Whoever uses the connection sees its own statement fail.
        client.on('error', () => undefined);
        if (silence !== undefined) giveUpWhenSilent(client, silence);
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
  };
}
