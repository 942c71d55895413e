import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AccountSettingsController } from './account-settings.controller.js';
import { AccountSettingsService } from './account-settings.service.js';
import { AccountRulesService } from './account-rules.service.js';
import { AnalysesController } from './analyses.controller.js';
import { AnalysesService } from './analyses.service.js';
import { DictionaryController } from './dictionary/dictionary.controller.js';
import { DictionaryService } from './dictionary/dictionary.service.js';
import { StyleRulesController } from './style-rules/style-rules.controller.js';
import { StyleRulesService } from './style-rules/style-rules.service.js';
import { AnalysisOrders } from './analysis-orders.js';
import { AnalysisRepository } from './analysis.repository.js';

/** What the API serves of analysis. The engines are in {@link AnalysisJobsModule}, for workers. */
@Module({
  imports: [DocumentsModule, JobsModule, UsageModule],
  controllers: [
    AnalysesController,
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
    DictionaryService,
    AccountSettingsService,
  ],
})
export class AnalysisModule {}
