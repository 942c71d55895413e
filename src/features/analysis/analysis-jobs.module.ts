import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { StoredFilesModule } from '../jobs/stored-files.repository.js';
import { AnalyzedDocumentsService } from './analyses/analyzed-documents.service.js';
import { AnalysisRepository } from './analyses/analysis.repository.js';
import { AnalyzeDocument, AnalyzeText } from './analyses/analysis-jobs.js';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { QuotasModule } from '../usage/quotas/quotas.module.js';
import { EnhancementsRepository } from './enhancements/enhancements.repository.js';
import { EnhanceDocument } from './enhancements/enhance-document.js';
import { AnalysisProviders } from './providers/analysis-providers.js';
import { ModelProvider } from './providers/model/model-provider.js';
import { TokenBudgetRepository } from './providers/model/token-budget.repository.js';
import { TokenBudgetService } from './providers/model/token-budget.service.js';
import { DryRunStyleRules } from './style-rules/dry-run-style-rules.js';
import { AccountRulesModule } from './settings/account-rules.module.js';
import { OfflineProvider } from './providers/offline/offline-provider.js';

/** Registers the jobs of analysis and the engines that run them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccountEntity]),
    AccountRulesModule,
    DocumentStoreModule,
    QuotasModule,
    StoredFilesModule,
  ],
  providers: [
    AnalysisRepository,
    AnalyzedDocumentsService,
    AnalyzeDocument,
    AnalyzeText,
    EnhanceDocument,
    EnhancementsRepository,
    DryRunStyleRules,
    AnalysisProviders,
    OfflineProvider,
    ModelProvider,
    TokenBudgetService,
    TokenBudgetRepository,
  ],
  exports: [AnalysisRepository, EnhancementsRepository, OfflineProvider, TokenBudgetRepository],
})
export class AnalysisJobsModule {}
