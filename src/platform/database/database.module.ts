import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { DatabaseTime } from './database-time.js';
import { Database } from './database.js';
import { dataSourceOptions, JOB_TIME_LIMITS, type Schema, SERVING_TIME_LIMITS } from './pools.js';

@Global()
@Module({ providers: [Database, DatabaseTime], exports: [Database] })
export class DatabaseModule {
  static forRoot(schema: Schema): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Config],
          useFactory: ({ databaseUrl, databasePoolSize }: Config) => ({
            ...dataSourceOptions(databaseUrl, databasePoolSize, schema, SERVING_TIME_LIMITS),
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
    const options = dataSourceOptions(config.databaseUrl, JOB_POOL_SIZE, schema, JOB_TIME_LIMITS);
    return {
      module: JobDatabaseModule,
      imports: [TypeOrmModule.forRoot({ ...options, retryAttempts: 0 })],
    };
  }
}
