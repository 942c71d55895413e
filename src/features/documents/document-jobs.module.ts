import { Module } from '@nestjs/common';
import { AccessModule } from '../auth/access/access.module.js';
import { CollectionStoreModule } from '../collections/collection-store.module.js';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { CollectionExport } from './collection-export/collection-export.js';
import { DocumentStoreModule } from './document-store.module.js';
import { ConverterService } from './files/converter.service.js';
import { DocumentExport } from './files/document-export.js';

/** Registers the jobs of documents. They have their own converter, so that requests do not wait for jobs. */
@Module({
  imports: [AccessModule, CollectionStoreModule, DocumentStoreModule, StoredFilesModule],
  providers: [CollectionExport, DocumentExport, ConverterService],
})
export class DocumentJobsModule {}
