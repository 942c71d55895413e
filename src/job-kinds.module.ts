import { Module } from '@nestjs/common';
import { AnalysisJobsModule } from './analysis/analysis-jobs.module.js';
import { ArchiveJobsModule } from './archive/archive-jobs.module.js';
import { DocumentJobsModule } from './documents/files/document-jobs.module.js';

/** Every feature that registers kinds of jobs. Loaded by API, worker and the threads of jobs. */
@Module({ imports: [DocumentJobsModule, ArchiveJobsModule, AnalysisJobsModule] })
export class JobKindsModule {}
