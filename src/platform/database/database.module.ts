import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions, SERVING_TIME_LIMITS } from './data-source-options.js';
import { DatabaseTime } from './database-time.js';
import { Database } from './database.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.databaseUrl, config.databasePoolSize, SERVING_TIME_LIMITS),
        // main.ts has reached the database and migrated it before the modules start.
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [Database, DatabaseTime],
  exports: [Database],
})
export class DatabaseModule {}
