import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { AccountRules } from './analysis.js';
import {
  AnalysisSettingsEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
} from './entities/account-rules.entity.js';
import type { ProviderName } from './providers/analysis-provider.js';

/** How an account wants its texts looked at. */
export interface AccountAnalysis {
  rules: AccountRules;
  provider: ProviderName;
  qualityDrop: number | null;
}

/** What accounts say about their words, and by which provider their texts are looked at. */
@Injectable()
export class AccountRulesService {
  constructor(private readonly database: Database) {}

  async of(accountId: string): Promise<AccountAnalysis> {
    const [words, active, settings] = await Promise.all([
      this.database
        .repository(DictionaryWordEntity)
        .find({ where: { accountId }, order: { word: 'ASC' } }),
      this.database.repository(StyleRuleSetEntity).findOneBy({ accountId, isActive: true }),
      this.database.repository(AnalysisSettingsEntity).findOneBy({ accountId }),
    ]);
    return {
      rules: { words: words.map(({ word }) => word), styleRules: active?.rules ?? [] },
      provider: settings?.provider ?? 'offline',
      qualityDrop: settings ? settings.qualityDrop : DEFAULT_QUALITY_DROP,
    };
  }
}

/** Points of the overall score, of 100. */
export const DEFAULT_QUALITY_DROP = 10;
