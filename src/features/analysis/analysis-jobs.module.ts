import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { AnalyzeDocument, AnalyzeText } from './analyses/analysis-jobs.js';
import { EnhanceDocument } from './enhancements/enhance-document.js';
import { AnalysisProviders } from './providers/analysis-providers.js';
import { ModelProvider } from './providers/model/model-provider.js';
import { TokenBudget } from './providers/model/token-budget.js';
import { DryRunStyleRules } from './style-rules/dry-run-style-rules.js';
import { AccountRulesModule } from './settings/account-rules.module.js';
import { OfflineProvider } from './providers/offline/offline-provider.js';

/** Registers the jobs of analysis and the engines that run them. */
@Module({
  imports: [TypeOrmModule.forFeature([AccountEntity]), AccountRulesModule, StoredFilesModule],
  providers: [
    AnalyzeDocument,
    AnalyzeText,
    EnhanceDocument,
    DryRunStyleRules,
    AnalysisProviders,
    OfflineProvider,
    ModelProvider,
    TokenBudget,
  ],
  exports: [OfflineProvider],
})
export class AnalysisJobsModule {}
