import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StyleRulesRepository } from '../style-rules/style-rules.repository.js';
import {
  AnalysisSettingsEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
} from './account-rules.entities.js';
import { AccountRulesRepository } from './account-rules.repository.js';
import { AccountRulesService } from './account-settings.service.js';

/** The dictionary, style rules and settings of accounts, for the API, jobs and background tasks. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AnalysisSettingsEntity, DictionaryWordEntity, StyleRuleSetEntity]),
  ],
  providers: [AccountRulesRepository, AccountRulesService, StyleRulesRepository],
  exports: [AccountRulesRepository, AccountRulesService, StyleRulesRepository],
})
export class AccountRulesModule {}
