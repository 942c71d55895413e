import { Module } from '@nestjs/common';
import { AuthModule } from '../access/auth/auth.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { EventsModule } from '../events/events.module.js';
import { DrainModule } from '../../platform/http/drain.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AccountSettingsController } from './account-settings.controller.js';
import { AccountSettingsService } from './account-settings.service.js';
import { AccountRulesService } from './account-rules.service.js';
import { AnalysesController, TextAnalysisController } from './analyses.controller.js';
import { AnalysesService } from './analyses.service.js';
import { DictionaryController } from './dictionary/dictionary.controller.js';
import { DictionaryService } from './dictionary/dictionary.service.js';
import { StyleRulesController } from './style-rules/style-rules.controller.js';
import { StyleRuleCompiler } from './style-rules/style-rule-compiler.js';
import { StyleRulesService } from './style-rules/style-rules.service.js';
import { AnalysisOrders } from './analysis-orders.js';
import { AnalysisRepository } from './analysis.repository.js';
import { DismissalsController } from './dismissals.controller.js';
import { DismissalsService } from './dismissals.service.js';
import { EnhancementOrders } from './enhancements/enhancement-orders.js';
import { EnhancementStreams } from './enhancements/enhancement-streams.js';
import { EnhancementsController } from './enhancements/enhancements.controller.js';
import { EnhancementsRepository } from './enhancements/enhancements.repository.js';
import { EnhancementsService } from './enhancements/enhancements.service.js';
import { EnhancementRequests } from './enhancements/enhancement-requests.service.js';
import { SuggestionApplication } from './enhancements/suggestion-application.js';
import { SuggestionRejection } from './enhancements/suggestion-rejection.js';
import { SuggestionRebase } from './enhancements/suggestion-rebase.js';

/** What the API serves of analysis. The engines are in {@link AnalysisJobsModule}, for workers. */
@Module({
  imports: [AuthModule, DocumentsModule, DrainModule, EventsModule, JobsModule, UsageModule],
  controllers: [
    AnalysesController,
    TextAnalysisController,
    EnhancementsController,
    DismissalsController,
    StyleRulesController,
    DictionaryController,
    AccountSettingsController,
  ],
  providers: [
    AnalysesService,
    AnalysisOrders,
    AnalysisRepository,
    AccountRulesService,
    StyleRulesService,
    StyleRuleCompiler,
    DictionaryService,
    EnhancementsService,
    EnhancementOrders,
    EnhancementsRepository,
    EnhancementStreams,
    EnhancementRequests,
    SuggestionApplication,
    SuggestionRejection,
    SuggestionRebase,
    DismissalsService,
    AccountSettingsService,
  ],
})
export class AnalysisModule {}
