import { Global, Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { Handling } from '../envelope/handling.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { IdempotencyRecordRepository } from './idempotency-record.repository.js';
import { IdempotentHandling } from './idempotent-handling.js';

/** Global, because the envelope, which knows no feature, asks for the handling. */
@Global()
@Module({
  imports: [SecretsModule, DocumentsModule],
  providers: [IdempotencyRecordRepository, { provide: Handling, useClass: IdempotentHandling }],
  exports: [Handling],
})
export class IdempotencyModule {}
