import { DocumentExports } from './files/document-exports.js';
import { Module } from '@nestjs/common';
import { ConversionModule } from './files/conversion/conversion.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { RequestValidationPipe } from '../../platform/http/envelope/validation.pipe.js';
import { SearchModule } from '../search/search.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchOperations } from './batch/batch-operations.service.js';
import { DocumentBatch } from './batch/batch.service.js';
import { DocumentChanges } from './document-changes.service.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { DocumentFacets } from './document-facets.js';
import { DocumentPages } from './document-pages.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentTrash } from './document-trash.service.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import { DocumentsByExternalIdController } from './documents-by-external-id.controller.js';
import { DocumentsByExternalId } from './documents-by-external-id.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import { DocumentFilesController } from './files/document-files.controller.js';
import { ImportBodyReader } from './files/import-body-reader.js';
import { LongTexts } from './long-texts/long-texts.js';
import { DocumentVersions } from './versions/document-versions.js';
import { VersionsController } from './versions/versions.controller.js';
import { VersionsService } from './versions/versions.service.js';

@Module({
  imports: [ConversionModule, JobsModule, SearchModule, TemplatesModule, UsageModule],
  controllers: [
    DocumentsByExternalIdController,
    BatchController,
    DocumentsController,
    DocumentFilesController,
    VersionsController,
  ],
  providers: [
    DocumentsService,
    DocumentExports,
    DocumentsByExternalId,
    DocumentsRepository,
    DocumentPages,
    DocumentFacets,
    DocumentChanges,
    DocumentTrash,
    DocumentChangesRepository,
    LongTexts,
    BatchOperations,
    DocumentBatch,
    ImportBodyReader,
    DocumentVersions,
    VersionsService,
    RequestValidationPipe,
  ],
  exports: [DocumentsService, DocumentChanges, DocumentVersions, LongTexts],
})
export class DocumentsModule {}
