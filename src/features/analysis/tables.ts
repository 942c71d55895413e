import {
  AnalysisSettingsEntity,
  AnalysisUsageEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
  TokenReservationEntity,
} from './settings/account-rules.entities.js';
import { AnalysisEntity, DismissalEntity } from './analyses/analysis.entity.js';
import { DueEnhancementEntity, EnhancementEntity } from './enhancements/enhancement.entity.js';

export const ANALYSIS_TABLES = [
  AnalysisEntity,
  EnhancementEntity,
  DismissalEntity,
  DueEnhancementEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
  AnalysisSettingsEntity,
  AnalysisUsageEntity,
  TokenReservationEntity,
];
