import { Module } from '@nestjs/common';
import { DocumentPages } from './document-pages.js';
import { DocumentStore } from './document-store.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';

@Module({
  controllers: [DocumentsController],
  providers: [DocumentsService, DocumentStore, DocumentPages],
})
export class DocumentsModule {}
