import { Global, Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HandlerWrapper } from '../../platform/http/envelope/envelope.interceptor.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { IdempotencyRecordEntity } from './entities/idempotency-record.entity.js';
import { IdempotencyRecordRepository } from './idempotency-record.repository.js';
import { IdempotentHandling, StoredContents } from './idempotent-handling.js';

/** Global, because the envelope injects {@link HandlerWrapper} without importing a feature. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRecordEntity]), SecretsModule],
  providers: [
    IdempotencyRecordRepository,
    { provide: HandlerWrapper, useClass: IdempotentHandling },
  ],
  exports: [HandlerWrapper],
})
export class IdempotencyModule {
  /** `contents` is a provider that one of `imports` exports. */
  static forRoot(
    imports: NonNullable<ModuleMetadata['imports']>,
    contents: Type<StoredContents>,
  ): DynamicModule {
    return {
      module: IdempotencyModule,
      imports,
      providers: [{ provide: StoredContents, useExisting: contents }],
    };
  }
}
