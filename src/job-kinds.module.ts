import { Module } from '@nestjs/common';
import { AnalysisJobsModule } from './features/analysis/analysis-jobs.module.js';
import { ArchiveJobsModule } from './features/archive/archive-jobs.module.js';
import { DocumentJobsModule } from './features/documents/document-jobs.module.js';

/** The features that register job kinds. API, workers and job threads load it. */
@Module({ imports: [DocumentJobsModule, ArchiveJobsModule, AnalysisJobsModule] })
export class JobKindsModule {}
