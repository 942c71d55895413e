import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DocumentAnnouncementsService } from './changes/document-announcements.service.js';
import { DocumentChangesRepository } from './changes/document-changes.repository.js';
import { DocumentsRepository } from './documents.repository.js';
import { PublishingSettingsEntity } from './publishing/entities/publishing-settings.entity.js';
import { PublicationGate } from './publishing/publication-gate.service.js';
import { PublicationsRepository } from './publishing/publications.repository.js';
import { PublishingSettingsRepository } from './publishing/publishing-settings.repository.js';
import { DocumentVersionsRepository } from './versions/document-versions.repository.js';

/** Stored documents and their versions, for the API, jobs and background tasks. */
@Module({
  imports: [TypeOrmModule.forFeature([PublishingSettingsEntity])],
  providers: [
    DocumentAnnouncementsService,
    DocumentChangesRepository,
    DocumentsRepository,
    DocumentVersionsRepository,
    PublicationGate,
    PublicationsRepository,
    PublishingSettingsRepository,
  ],
  exports: [
    DocumentAnnouncementsService,
    DocumentChangesRepository,
    DocumentsRepository,
    DocumentVersionsRepository,
    PublicationGate,
    PublicationsRepository,
    PublishingSettingsRepository,
  ],
})
export class DocumentStoreModule {}
