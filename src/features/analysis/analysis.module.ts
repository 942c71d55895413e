import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { EventsModule } from '../events/events.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { DrainModule } from '../../platform/http/server/drain.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AccountSettingsController } from './settings/account-settings.controller.js';
import { AccountRulesModule } from './settings/account-rules.module.js';
import { AccountSettingsService } from './settings/account-settings.service.js';
import { AnalysisRulesController } from './rules/analysis-rules.controller.js';
import { AnalysesController, TextAnalysisController } from './analyses/analyses.controller.js';
import { AnalysesService } from './analyses/analyses.service.js';
import { AnalysisJobsModule } from './analysis-jobs.module.js';
import { CheckerAdmission } from './checker/checker-admission.js';
import { CheckerController } from './checker/checker.controller.js';
import { CheckerEngine, CheckerLimits } from './checker/checker-engine.js';
import { CheckerLanguages } from './checker/checker-languages.js';
import { CheckerQuota } from './checker/checker-quota.js';
import { CheckerService } from './checker/checker.service.js';
import { CheckerThreads } from './checker/checker-threads.js';
import { TextCheckService } from './checker/text-check.service.js';
import { DictionaryController } from './dictionary/dictionary.controller.js';
import { DictionaryService } from './dictionary/dictionary.service.js';
import { StyleRulesController } from './style-rules/style-rules.controller.js';
import { StyleRuleCompiler } from './style-rules/style-rule-compiler.js';
import { StyleRulesService } from './style-rules/style-rules.service.js';
import { AnalysisPublicationModule } from './publication/analysis-publication.module.js';
import { DismissalsController } from './analyses/dismissals.controller.js';
import { DismissalsRepository } from './analyses/dismissals.repository.js';
import { DismissalsService } from './analyses/dismissals.service.js';
import { EngineWarmUpModule } from './providers/offline/engine-warm-up.js';
import {
  EnhancementOrdersService,
  EnhancementsService,
} from './enhancements/enhancements.service.js';
import { EnhancementStreams } from './enhancements/enhancement-streams.js';
import { EnhancementsController } from './enhancements/enhancements.controller.js';
import { SuggestionReviewService } from './enhancements/suggestion-review.service.js';
import { ProposalsController } from './proposals/proposals.controller.js';
import { ProposalsRepository } from './proposals/proposals.repository.js';
import { ProposalsService } from './proposals/proposals.service.js';

/** Controllers and services of the API. The engines are in `AnalysisJobsModule`, for workers. */
@Module({
  imports: [
    AccountRulesModule,
    AnalysisJobsModule,
    AnalysisPublicationModule,
    AuthModule,
    DocumentsModule,
    DrainModule,
    EngineWarmUpModule,
    EventsModule,
    JobsModule,
    RateLimitModule,
    UsageModule,
  ],
  controllers: [
    AnalysesController,
    TextAnalysisController,
    EnhancementsController,
    ProposalsController,
    DismissalsController,
    StyleRulesController,
    DictionaryController,
    AccountSettingsController,
    AnalysisRulesController,
    CheckerController,
  ],
  providers: [
    AnalysesService,
    StyleRulesService,
    StyleRuleCompiler,
    DictionaryService,
    EnhancementsService,
    EnhancementOrdersService,
    EnhancementStreams,
    SuggestionReviewService,
    ProposalsRepository,
    ProposalsService,
    DismissalsService,
    DismissalsRepository,
    AccountSettingsService,
    CheckerService,
    CheckerAdmission,
    CheckerEngine,
    CheckerLanguages,
    CheckerLimits,
    CheckerQuota,
    CheckerThreads,
    TextCheckService,
  ],
})
export class AnalysisModule {}
