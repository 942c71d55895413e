import { Module } from '@nestjs/common';
import { AnalysisJobsModule } from './features/analysis/analysis-jobs.module.js';
import { ArchiveJobsModule } from './features/archive/archive-jobs.module.js';
import { DocumentJobsModule } from './features/documents/files/document-export.js';

/** Every feature that registers kinds of jobs. Loaded by API, worker and the threads of jobs. */
@Module({ imports: [DocumentJobsModule, ArchiveJobsModule, AnalysisJobsModule] })
export class JobKindsModule {}
