import { Module } from '@nestjs/common';
import { WritersInTurn } from '../database/writers-in-turn.js';
import { RequestValidationPipe } from '../envelope/validation.pipe.js';
import { BatchController } from './batch/batch.controller.js';
import { DocumentBatch } from './batch/batch.service.js';
import { DocumentChangesController } from './document-changes.controller.js';
import { DocumentChanges } from './document-changes.service.js';
import { DocumentPages } from './document-pages.js';
import { DocumentStore } from './document-store.js';
import { DocumentTrashController } from './document-trash.controller.js';
import { DocumentTrash } from './document-trash.service.js';
import { DocumentWrites } from './document-writes.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import { VersionStore } from './versions/version-store.js';
import { VersionsController } from './versions/versions.controller.js';
import { VersionsService } from './versions/versions.service.js';

@Module({
  controllers: [
    BatchController,
    DocumentsController,
    DocumentChangesController,
    DocumentTrashController,
    VersionsController,
  ],
  providers: [
    DocumentsService,
    DocumentStore,
    DocumentPages,
    DocumentChanges,
    DocumentTrash,
    DocumentWrites,
    WritersInTurn,
    DocumentBatch,
    VersionStore,
    VersionsService,
    RequestValidationPipe,
  ],
  exports: [DocumentsService, VersionStore],
})
export class DocumentsModule {}
