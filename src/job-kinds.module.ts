import { Module } from '@nestjs/common';
import { ArchiveJobsModule } from './archive/archive-jobs.module.js';
import { DocumentJobsModule } from './documents/files/document-jobs.module.js';

/** Every feature that registers kinds of jobs. Loaded by API, worker and the threads of jobs. */
@Module({ imports: [DocumentJobsModule, ArchiveJobsModule] })
export class JobKindsModule {}
