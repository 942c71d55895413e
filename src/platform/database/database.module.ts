import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { dataSourceOptions, SERVING_TIME_LIMITS, type Schema } from './data-source-options.js';
import { DatabaseTime } from './database-time.js';
import { Database } from './database.js';

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
            // main.ts has connected to the database and migrated it before the modules start.
            retryAttempts: 0,
          }),
        }),
      ],
    };
  }
}
