import { Module } from '@nestjs/common';
import { DocumentAnnouncementsService } from './changes/document-announcements.service.js';
import { DocumentChangesRepository } from './changes/document-changes.repository.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentVersionsRepository } from './versions/document-versions.repository.js';

/** Stored documents and their versions, for the API, jobs and background tasks. */
@Module({
  providers: [
    DocumentAnnouncementsService,
    DocumentChangesRepository,
    DocumentsRepository,
    DocumentVersionsRepository,
  ],
  exports: [
    DocumentAnnouncementsService,
    DocumentChangesRepository,
    DocumentsRepository,
    DocumentVersionsRepository,
  ],
})
export class DocumentStoreModule {}
