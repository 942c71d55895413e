import { DocumentExportsService } from './files/document-exports.service.js';
import { Module } from '@nestjs/common';
import { ConverterService } from './files/converter.service.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { RequestValidationPipe } from '../../platform/http/envelope/request-validation.pipe.js';
import { CollectionStoreModule } from '../collections/collection-store.module.js';
import { SearchModule } from '../search/search.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchOperationsService } from './batch/batch-operations.service.js';
import { BatchService } from './batch/batch.service.js';
import { CollectionExportsController } from './collection-export/collection-exports.controller.js';
import { DocumentChangesModule } from './document-changes.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { DocumentFacetsService } from './lists/document-facets.service.js';
import { DocumentPagesService } from './lists/document-pages.service.js';
import { DocumentTrashService } from './changes/document-trash.service.js';
import { DocumentsByExternalIdController } from './changes/documents-by-external-id.controller.js';
import { DocumentsByExternalIdService } from './changes/documents-by-external-id.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import { DocumentFilesController } from './files/document-files.controller.js';
import { ImportBodyReader } from './files/import-body-reader.js';
import { ReaderResponsesService } from './publishing/reader-responses.service.js';
import { PublishingController } from './publishing/publishing.controller.js';
import { PublishingSettingsController } from './publishing/publishing-settings.controller.js';
import { PublishingSettingsService } from './publishing/publishing-settings.service.js';
import { VersionsController } from './versions/versions.controller.js';
import { ReplayedDocuments } from './replayed-documents.js';
import { VersionsService } from './versions/versions.service.js';

@Module({
  imports: [
    CollectionStoreModule,
    DocumentChangesModule,
    JobsModule,
    SearchModule,
    TemplatesModule,
    UsageModule,
  ],
  controllers: [
    DocumentsByExternalIdController,
    BatchController,
    CollectionExportsController,
    DocumentsController,
    DocumentFilesController,
    VersionsController,
    PublishingController,
    PublishingSettingsController,
  ],
  providers: [
    DocumentsService,
    DocumentExportsService,
    DocumentsByExternalIdService,
    DocumentPagesService,
    DocumentFacetsService,
    DocumentTrashService,
    ConverterService,
    BatchOperationsService,
    BatchService,
    ImportBodyReader,
    VersionsService,
    ReaderResponsesService,
    PublishingSettingsService,
    ReplayedDocuments,
    RequestValidationPipe,
  ],
  exports: [DocumentChangesModule, DocumentsService, ReplayedDocuments],
})
export class DocumentsModule {}
