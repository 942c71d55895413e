import { Injectable } from '@nestjs/common';
import type { AccountRules, EngineVersion } from '@document-service/text-analysis/analysis';
import type { RequestContext } from '../../auth/request-context.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { StyleRulesRepository } from '../style-rules/style-rules.repository.js';
import type { ProviderName } from '../providers/analysis-provider.js';
import { engineOf } from '../providers/engine-versions.js';
import { isRule } from '../rules/rule-list.js';
import { AccountRulesRepository } from './account-rules.repository.js';

/** Default drop of the overall score (0 to 100) that emits `document.quality_dropped`. */
const DEFAULT_QUALITY_DROP = 10;

export interface AccountSettings {
  provider: ProviderName;
  qualityDrop: number | null;
  /** Ids of rules whose findings are dropped, in order. */
  disabledRules: string[];
  /** Null until the first change. */
  updatedAt: Date | null;
}

/** `disabledRules` replaces the list; the other two members change single rules in it. */
type SettingsPatch = Partial<
  Pick<AccountSettings, 'provider' | 'qualityDrop' | 'disabledRules'> &
    Record<'disableRules' | 'enableRules', string[]>
>;

const DEFAULTS: AccountSettings = {
  provider: 'offline',
  qualityDrop: DEFAULT_QUALITY_DROP,
  disabledRules: [],
  updatedAt: null,
};

/** The rules, provider and settings that the account's analyses use. */
export interface AccountAnalysis {
  rules: AccountRules;
  provider: ProviderName;
  engine: EngineVersion;
  qualityDrop: number | null;
}

/** Reads the settings for an account's analyses. */
@Injectable()
export class AccountRulesService {
  constructor(
    private readonly accounts: AccountRulesRepository,
    private readonly styleRules: StyleRulesRepository,
    private readonly config: Config,
  ) {}

  async forAccount(accountId: string): Promise<AccountAnalysis> {
    // One after another, because the caller may be in a transaction, which has one connection.
    const words = await this.accounts.words(accountId);
    const active = await this.styleRules.findActive(accountId);
    const settings = await this.accounts.settings(accountId);
    const { provider, qualityDrop, disabledRules } = settings ?? DEFAULTS;
    return {
      provider,
      engine: engineOf(provider, this.config),
      rules: { words, styleRules: active?.rules ?? [], disabledRules },
      qualityDrop,
    };
  }
}

/** Error for choosing the model provider when none is configured. */
export const NO_MODEL = invalidFields([
  {
    field: 'provider',
    issue:
      'cannot be model: this service has no model configured; ask the operator to set AI_MODEL and AI_BASE_URL, or use offline',
  },
]);

/** Error for switching off something that is not a rule. `at` is its index. */
export function unknownRule(id: string, at: number, list = 'disabledRules'): FieldProblem {
  const field = `${list}[${String(at)}]`;
  return id.startsWith('house-style.')
    ? {
        field,
        issue: `${id} is a style rule; create a version without it with POST /v1/style-rules, and activate that`,
      }
    : { field, issue: `${id} is not a rule; GET /v1/analysis-rules lists all rules` };
}

/** Reads and changes the settings of an account's analyses. */
@Injectable()
export class AccountSettingsService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly accounts: AccountRulesRepository,
  ) {}

  async find(accountId: string): Promise<AccountSettings> {
    return (await this.accounts.settings(accountId)) ?? DEFAULTS;
  }

  /**
   * Writes changed settings with an audit entry. Concurrent changes of an account run one after the other. Throws
   * `bad_request` for a model if none is configured, and for unknown rules.
   */
  async change(patch: SettingsPatch, context: RequestContext): Promise<AccountSettings> {
    if (patch.provider === 'model' && !this.config.model) throw NO_MODEL;
    const { accountId } = context.principal;
    return this.database.transaction(async () => {
      await this.accounts.lockSettings(accountId);
      const before = await this.find(accountId);
      const settings = {
        provider: patch.provider ?? before.provider,
        qualityDrop: patch.qualityDrop === undefined ? before.qualityDrop : patch.qualityDrop,
        disabledRules: disabledAfter(patch, before.disabledRules),
      };
      const isSame =
        settings.provider === before.provider &&
        settings.qualityDrop === before.qualityDrop &&
        settings.disabledRules.join() === before.disabledRules.join();
      if (isSame) return before;
      const after = { ...settings, updatedAt: this.clock.now() };
      await this.accounts.saveSettings({ accountId, ...after });
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: accountId,
        at: after.updatedAt,
        context,
        details: { analysis: settings },
      });
      return after;
    });
  }
}

/**
 * Returns the ids of disabled rules after a change, in order and without duplicates. Throws `bad_request` for unknown ids,
 * except for `stored` ones, because a later version of the service can lack a rule.
 */
function disabledAfter(patch: SettingsPatch, stored: readonly string[]): string[] {
  const { disabledRules = stored, disableRules = [], enableRules = [] } = patch;
  const lists = { disabledRules, disableRules, enableRules };
  const [first, ...rest] = [
    ...Object.entries(lists).flatMap(([list, ids]) =>
      ids.flatMap((id, at) =>
        isRule(id) || stored.includes(id) ? [] : [unknownRule(id, at, list)],
      ),
    ),
    ...enableRules.flatMap((id, at) =>
      disableRules.includes(id)
        ? [{ field: `enableRules[${String(at)}]`, issue: `${id} is also in disableRules` }]
        : [],
    ),
  ];
  if (first) throw invalidFields([first, ...rest]);
  const disabled = new Set([...disabledRules, ...disableRules]);
  for (const id of enableRules) disabled.delete(id);
  return [...disabled].sort();
}
