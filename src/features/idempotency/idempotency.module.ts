import { Global, Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { HandlerWrapper } from '../../platform/http/envelope/envelope.interceptor.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { IdempotencyRecordRepository } from './idempotency-record.repository.js';
import { IdempotentHandling } from './idempotent-handling.js';

/** Global, because the envelope, which knows no feature, asks for the handling. */
@Global()
@Module({
  imports: [SecretsModule, DocumentsModule],
  providers: [
    IdempotencyRecordRepository,
    { provide: HandlerWrapper, useClass: IdempotentHandling },
  ],
  exports: [HandlerWrapper],
})
export class IdempotencyModule {}
