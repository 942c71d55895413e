import { Global, Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { Handling } from '../envelope/handling.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { IdempotentHandling } from './idempotent-handling.js';
import { OutcomeStore } from './outcome-store.js';

/** Global, because the envelope, which knows no feature, asks for the handling. */
@Global()
@Module({
  imports: [SecretsModule, DocumentsModule],
  providers: [OutcomeStore, { provide: Handling, useClass: IdempotentHandling }],
  exports: [Handling],
})
export class IdempotencyModule {}
