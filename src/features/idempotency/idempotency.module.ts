import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { IdempotencyRecordEntity } from './entities/idempotency-record.entity.js';
import { IdempotencyInterceptor, StoredDocuments } from './idempotency.interceptor.js';
import { IdempotencyRecordRepository } from './idempotency-record.repository.js';

@Module({
  imports: [AuthModule, TypeOrmModule.forFeature([IdempotencyRecordEntity]), SecretsModule],
  providers: [
    IdempotencyRecordRepository,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {
  /** `contents` is a provider that one of `imports` exports. */
  static forRoot(
    imports: NonNullable<ModuleMetadata['imports']>,
    contents: Type<StoredDocuments>,
  ): DynamicModule {
    return {
      module: IdempotencyModule,
      imports,
      providers: [{ provide: StoredDocuments, useExisting: contents }],
    };
  }
}
