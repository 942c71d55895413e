import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { JobQueue } from '../../jobs/queue/job-queue.js';
import type { Job } from '../../jobs/job.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { Database } from '../../../platform/database/database.js';
import { readNumberedItems, type Page } from '../../../platform/http/pagination/read-page.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { DRY_RUN_STYLE_RULES } from './dry-run-style-rules.js';
import { StyleRulesRepository, type StyleRuleSet } from './style-rules.repository.js';

export type { StyleRuleSet };

/** Style rules of accounts. Every change is stored as a version; at most one version is active. */
@Injectable()
export class StyleRulesService {
  constructor(
    private readonly database: Database,
    private readonly sets: StyleRulesRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns one page of versions. Throws `bad_request` for a cursor of another list or order, and for a page with more
   * than 8 MiB of rules.
   */
  async list(accountId: string, query: PageQueryDto): Promise<Page<StyleRuleSet>> {
    const total = await this.sets.newestVersion(accountId);
    const read = async (first: number, last: number) => {
      const rows = await this.sets.list(accountId, first, last);
      return rows.map(({ rules, ...set }) => {
        if (rules !== null) return { ...set, rules };
        const issue =
          'makes this page larger than 8 MiB; lower it, or read the versions one by one';
        throw invalidFields([{ field: 'limit', issue }]);
      });
    };
    return readNumberedItems({ ownerId: accountId, total, read }, query);
  }

  /** Throws `not_found`. */
  async find(accountId: string, version: string): Promise<StyleRuleSet> {
    const found = await this.sets.find(accountId, numberOf(version));
    if (!found) throw notFound('version');
    return found;
  }

  /** Creates a version, which is inactive. `rules` is JSON text. */
  async create(rules: string, context: RequestContext): Promise<StyleRuleSet> {
    const { accountId, user } = context.principal;
    return this.change('created', context, async () => {
      const version = (await this.sets.newestVersion(accountId)) + 1;
      const createdAt = this.clock.now();
      await this.sets.insert({ accountId, version, rules, createdBy: user.id, createdAt });
      return { version, isActive: false, rules, createdAt };
    });
  }

  /** Activates a version and deactivates the previous one. Throws `not_found`. */
  async activate(version: string, context: RequestContext): Promise<StyleRuleSet> {
    const { accountId } = context.principal;
    return this.change('activated', context, async () => {
      const found = await this.find(accountId, version);
      await this.sets.activate(accountId, found.version);
      return { ...found, isActive: true };
    });
  }

  /** Deactivates the active version, if any. */
  async deactivate(context: RequestContext): Promise<void> {
    await this.change('deactivated', context, async () => {
      await this.sets.deactivate(context.principal.accountId);
      return { version: null };
    });
  }

  /** Starts the job that counts what a version would find in the account's documents. Throws `not_found`, `conflict`. */
  async dryRun(version: string, context: RequestContext): Promise<Job> {
    const input = { version: numberOf(version) };
    const exists = await this.sets.exists(context.principal.accountId, input.version);
    if (!exists) throw notFound('version');
    return this.jobs.add({ kind: DRY_RUN_STYLE_RULES, input }, context);
  }

  private async change<Result extends { version: number | null }>(
    verb: 'created' | 'activated' | 'deactivated',
    context: RequestContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { accountId } = context.principal;
    return this.database.transaction(
      async () => {
        await this.sets.lock(accountId);
        const result = await work();
        await insertAuditEntry(this.database, {
          action: 'account.update',
          resourceId: accountId,
          at: this.clock.now(),
          context,
          details: { styleRules: verb, version: result.version },
        });
        return result;
      },
      context.caller,
      accountId,
    );
  }
}

/** Returns the number of a version in a path, or 0 for other text. */
function numberOf(version: string): number {
  return /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
}
