import {
  AnalysisSettingsEntity,
  AnalysisUsageEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
} from './entities/account-rules.entity.js';
import { AnalysisEntity } from './entities/analysis.entity.js';
import { DismissalEntity } from './entities/dismissal.entity.js';
import { DueEnhancementEntity } from './entities/due-enhancement.entity.js';
import { EnhancementEntity } from './entities/enhancement.entity.js';
import { TokenReservationEntity } from './entities/token-reservation.entity.js';

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
