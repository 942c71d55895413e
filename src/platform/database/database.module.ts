import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Config } from '../config/config.js';
import { DatabaseTime } from './database-time.js';
import { Database } from './database.js';
import { dataSourceOptions, JOB_TIME_LIMITS, requestOptions, type Schema } from './pools.js';
import { TransactionalDataSource } from './transactional-data-source.js';

@Global()
@Module({ providers: [Database, DatabaseTime], exports: [Database] })
export class DatabaseModule {
  /** The database for requests and background tasks. */
  static forRoot(schema: Schema): DynamicModule {
    return connectedWith((config) => requestOptions(config, config.databasePoolSize, schema));
  }

  /** The database for a job that runs in its own thread: one transaction and parallel reads. */
  static forJob(schema: Schema): DynamicModule {
    return connectedWith(({ directUrl }) =>
      dataSourceOptions(directUrl, JOB_POOL_SIZE, schema, JOB_TIME_LIMITS),
    );
  }
}

const JOB_POOL_SIZE = 4;

function connectedWith(optionsFor: (config: Config) => DataSourceOptions): DynamicModule {
  const typeOrm = TypeOrmModule.forRootAsync({
    inject: [Config],
    // Startup has already connected to the database and migrated it.
    useFactory: (config: Config) => ({ ...optionsFor(config), retryAttempts: 0 }),
    dataSourceFactory: (options) =>
      new TransactionalDataSource(options as DataSourceOptions).initialize(),
  });
  return { module: DatabaseModule, imports: [typeOrm] };
}
