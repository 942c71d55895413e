import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Config } from '../config/config.js';
import { dataSourceOptions, JOB_TIME_LIMITS, type Schema } from './data-source-options.js';
import { DatabaseTime } from './database-time.js';
import { Database } from './database.js';

const JOB_POOL_SIZE = 4;

/** The database for one job in a thread of its own: one transaction and what goes on beside it. */
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
