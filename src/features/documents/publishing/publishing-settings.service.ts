import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { requireRole } from '../../auth/roles.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import type {
  PublicationRuleInputDto,
  PublishingDto,
  PutPublishingDto,
} from './dto/publishing.dto.js';
import type { PublicationRule } from './publication-rules.js';
import {
  OFF,
  PublishingSettingsRepository,
  type PublishingSettings,
} from './publishing-settings.repository.js';

/** Reads and changes the publishing settings of accounts. */
@Injectable()
export class PublishingSettingsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: PublishingSettingsRepository,
  ) {}

  async read(accountId: string): Promise<PublishingDto> {
    return presented(await this.settings.find(accountId));
  }

  /**
   * Replaces the settings. If publishing is turned on or off, the worker adds or removes published versions afterwards. Throws
   * `forbidden` for members, viewers, and keys without all scopes.
   */
  async change(body: PutPublishingDto, context: RequestContext): Promise<PublishingDto> {
    requireManager(context.principal);
    const { accountId } = context.principal;
    const { enabled, cacheSeconds = OFF.cacheSeconds, sharedCache = OFF.sharedCache } = body;
    const rules = (body.rules ?? OFF.rules).map(ruleOf);
    return this.database.transaction(async () => {
      await this.settings.lock(accountId);
      const before = await this.settings.find(accountId);
      const isSwitched = enabled !== before.enabled;
      const isSame =
        !isSwitched &&
        cacheSeconds === before.cacheSeconds &&
        sharedCache === before.sharedCache &&
        isDeepStrictEqual(rules, before.rules);
      if (isSame) return presented(before);
      const updatedAt = this.clock.now();
      const settled = before.settled && !isSwitched;
      const after = { enabled, cacheSeconds, sharedCache, rules, settled, updatedAt };
      await this.settings.save(accountId, after);
      await insertAuditEntry(this.database, {
        action: 'account.update',
        resourceId: accountId,
        at: updatedAt,
        context,
        details: { publishing: { enabled, cacheSeconds, sharedCache, rules } },
      });
      return presented(after);
    });
  }
}

function requireManager(principal: Principal): void {
  if (principal.kind === 'person') requireRole(principal.role, 'admin');
  else requireScope(principal, '*');
}

/** Returns a rule with its defaults. */
function ruleOf({ types, checks, override = 'nobody' }: PublicationRuleInputDto): PublicationRule {
  const { errors = null, minScore = null, openSuggestions = null } = checks;
  return { types: types ?? null, checks: { errors, minScore, openSuggestions }, override };
}

function presented({ updatedAt, ...settings }: PublishingSettings): PublishingDto {
  const { enabled, cacheSeconds, sharedCache, rules, settled } = settings;
  return {
    enabled,
    cacheSeconds,
    sharedCache,
    rules,
    settled,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}
