import { Module } from '@nestjs/common';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { DocumentStoreModule } from './document-store.module.js';
import { ConverterService } from './files/converter.service.js';
import { DocumentExport } from './files/document-export.js';

/** Registers the jobs of documents. They have their own converter, so that requests do not wait for jobs. */
@Module({
  imports: [DocumentStoreModule, StoredFilesModule],
  providers: [DocumentExport, ConverterService],
})
export class DocumentJobsModule {}
