import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit-entry.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { invalidFields } from '../../../platform/basics/errors/app-error.js';
import { DEFAULT_QUALITY_DROP } from './account-rules.service.js';
import { AnalysisSettingsEntity } from './account-rules.entity.js';
import type { ProviderName } from '../providers/analysis-provider.js';

export interface AccountSettings {
  provider: ProviderName;
  qualityDrop: number | null;
  /** Null while nothing was ever changed. */
  updatedAt: Date | null;
}

export type SettingsPatch = Partial<Pick<AccountSettings, 'provider' | 'qualityDrop'>>;

const UNTOUCHED: AccountSettings = {
  provider: 'offline',
  qualityDrop: DEFAULT_QUALITY_DROP,
  updatedAt: null,
};

/** What a request for a model is answered when the operator has none. */
export const NO_MODEL = invalidFields([
  {
    field: 'provider',
    issue:
      'cannot be model: the operator of this service configured none; ask for AI_MODEL and AI_BASE_URL to be set, or stay with offline',
  },
]);

/** By which provider an account has its texts looked at, and how great a fall of their scores it wants to hear of. */
@Injectable()
export class AccountSettingsService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async find(accountId: string): Promise<AccountSettings> {
    const rows = this.database.repository(AnalysisSettingsEntity);
    return (await rows.findOneBy({ accountId })) ?? UNTOUCHED;
  }

  /** What differs is written, with an audit entry. Throws `bad_request` for a model where there is none. */
  async change(patch: SettingsPatch, context: RequestContext): Promise<AccountSettings> {
    if (patch.provider === 'model' && !this.config.model) throw NO_MODEL;
    const { accountId } = context.principal;
    return this.database.transaction(async () => {
      const before = await this.find(accountId);
      const wanted = {
        provider: patch.provider ?? before.provider,
        qualityDrop: patch.qualityDrop === undefined ? before.qualityDrop : patch.qualityDrop,
      };
      const isSame =
        wanted.provider === before.provider && wanted.qualityDrop === before.qualityDrop;
      if (isSame) return before;
      const after = { ...wanted, updatedAt: this.clock.now() };
      const rows = this.database.repository(AnalysisSettingsEntity);
      await rows.upsert({ accountId, ...after }, ['accountId']);
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: accountId,
        at: after.updatedAt,
        context,
        details: { analysis: wanted },
      });
      return after;
    });
  }
}
