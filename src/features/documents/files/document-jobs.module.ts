import { Module } from '@nestjs/common';
import { Converter } from './conversion/converter.js';
import { StoredFilesModule } from '../../jobs/stored-files.js';
import { DocumentExport } from './document-export.js';

/** Registers the jobs of documents. Their converter is not the one of requests, which would wait for them. */
@Module({ imports: [StoredFilesModule], providers: [DocumentExport, Converter] })
export class DocumentJobsModule {}
