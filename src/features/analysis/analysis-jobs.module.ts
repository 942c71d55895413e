import { Module } from '@nestjs/common';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { AnalyzeDocument, AnalyzeText } from './analyses/analysis-jobs.js';
import { EnhanceDocument } from './enhancements/enhance-document.js';
import { AnalysisProviders } from './providers/analysis-providers.js';
import { ModelProvider } from './providers/model/model-provider.js';
import { DryRunStyleRules } from './style-rules/dry-run-style-rules.js';
import { StyleRulesRepository } from './style-rules/style-rules.repository.js';
import { OfflineProvider } from './providers/offline/offline-provider.js';

/** Registers the jobs of analysis and the engines that run them. */
@Module({
  imports: [StoredFilesModule],
  providers: [
    AnalyzeDocument,
    AnalyzeText,
    EnhanceDocument,
    DryRunStyleRules,
    StyleRulesRepository,
    AnalysisProviders,
    OfflineProvider,
    ModelProvider,
  ],
  exports: [OfflineProvider],
})
export class AnalysisJobsModule {}
