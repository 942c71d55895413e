import { Module } from '@nestjs/common';
import { DocumentStore } from './document-store.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';

@Module({
  controllers: [DocumentsController],
  providers: [DocumentsService, DocumentStore],
})
export class DocumentsModule {}
