import { Module } from '@nestjs/common';
import { DocumentChangesController } from './document-changes.controller.js';
import { DocumentChanges } from './document-changes.service.js';
import { DocumentPages } from './document-pages.js';
import { DocumentStore } from './document-store.js';
import { DocumentTrashController } from './document-trash.controller.js';
import { DocumentTrash } from './document-trash.service.js';
import { DocumentWrites } from './document-writes.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';

@Module({
  controllers: [DocumentsController, DocumentChangesController, DocumentTrashController],
  providers: [
    DocumentsService,
    DocumentStore,
    DocumentPages,
    DocumentChanges,
    DocumentTrash,
    DocumentWrites,
  ],
  exports: [DocumentsService],
})
export class DocumentsModule {}
