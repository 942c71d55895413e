import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { DatabaseTime } from './database-time.js';
import { Database } from './database.js';
import { dataSourceOptions, JOB_TIME_LIMITS, requestOptions, type Schema } from './pools.js';

@Global()
@Module({ providers: [Database, DatabaseTime], exports: [Database] })
export class DatabaseModule {
  static forRoot(schema: Schema): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: (config: Config) => ({
            ...requestOptions(config, config.databasePoolSize, schema),
            // Startup has already connected to the database and migrated it.
            retryAttempts: 0,
          }),
        }),
      ],
    };
  }
}

const JOB_POOL_SIZE = 4;

/** The database for a job that runs in its own thread: one transaction and parallel reads. */
@Global()
@Module({ providers: [Database, DatabaseTime], exports: [Database] })
export class JobDatabaseModule {
  static for(config: Config, schema: Schema): DynamicModule {
    const options = dataSourceOptions(config.directUrl, JOB_POOL_SIZE, schema, JOB_TIME_LIMITS);
    return {
      module: JobDatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0 })],
    };
  }
}
