import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import type { AccountRules, EngineVersion } from '@document-service/text-analysis/analysis';
import {
  AnalysisSettingsEntity,
  DictionaryWordEntity,
  StyleRuleSetEntity,
} from './account-rules.entity.js';
import type { ProviderName } from '../providers/analysis-provider.js';
import { engineOf } from '../providers/analysis-provider.js';

/** How an account wants its texts looked at. */
export interface AccountAnalysis {
  rules: AccountRules;
  provider: ProviderName;
  /** The engine of that provider. */
  engine: EngineVersion;
  qualityDrop: number | null;
}

/** What accounts say about their words, and by which provider their texts are looked at. */
@Injectable()
export class AccountRulesService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  async of(accountId: string): Promise<AccountAnalysis> {
    const [words, active, settings] = await Promise.all([
      this.database
        .repository(DictionaryWordEntity)
        .find({ where: { accountId }, order: { word: 'ASC' } }),
      this.database.repository(StyleRuleSetEntity).findOneBy({ accountId, isActive: true }),
      this.database.repository(AnalysisSettingsEntity).findOneBy({ accountId }),
    ]);
    const provider = settings?.provider ?? 'offline';
    return {
      provider,
      engine: engineOf(provider, this.config),
      rules: { words: words.map(({ word }) => word), styleRules: active?.rules ?? [] },
      qualityDrop: settings ? settings.qualityDrop : DEFAULT_QUALITY_DROP,
    };
  }
}

/** Points of the overall score, of 100. */
export const DEFAULT_QUALITY_DROP = 10;
