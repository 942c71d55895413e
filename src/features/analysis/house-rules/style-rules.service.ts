import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit-entry.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Job } from '../../jobs/job.js';
import { readNumberedItems } from '../../../platform/http/pagination/numbered-items.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import type { Page } from '../../../platform/http/pagination/read-page.js';
import type { StyleRule } from '@document-service/text-analysis/analysis';
import { StyleRuleSetEntity } from '../settings/account-rules.entity.js';
import { DRY_RUN_STYLE_RULES } from './dry-run-style-rules.js';

/** Changes of an account's rules come one after the other: versions are numbered without a gap. */
const LOCK: Statement = {
  name: 'style-rules.lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('style-rules' || $1::text, 0))`,
};

/** A page with all rules of 100 versions could have hundreds of MiB. */
const MAX_PAGE_RULES_BYTES = 8 * 1024 * 1024;

const LIST: Statement = {
  name: 'style-rules.list',
  text: `SELECT version, is_active AS "isActive", created_at AS "createdAt",
                CASE WHEN sum(octet_length(rules::text)) OVER () <= ${String(MAX_PAGE_RULES_BYTES)} OR count(*) OVER () = 1 THEN rules::text END AS rules
           FROM style_rule_sets WHERE account_id = $1 AND version BETWEEN $2 AND $3 ORDER BY version`,
};

export interface ListedStyleRules extends Omit<StyleRuleSet, 'rules'> {
  rules: string;
}

export type StyleRuleSet = StyleRuleSetEntity;

/** The house rules of accounts. Every state is kept as a version; at most one is in force. */
@Injectable()
export class StyleRulesService {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns one page of the versions. Their rules stay JSON text, which the event loop need not parse. Throws `bad_request`
   * for a cursor of another list or order, and for a page with more than 8 MiB of rules.
   */
  async list(accountId: string, query: PageQueryDto): Promise<Page<ListedStyleRules>> {
    const total = (await this.sets.maximum('version', { accountId })) ?? 0;
    const read = async (first: number, last: number) => {
      const rows = await this.database.run<ListedStyleRules>(LIST, [accountId, first, last]);
      if (rows.some(({ rules }) => (rules as string | null) === null)) {
        const issue =
          'makes this page larger than 8 MiB; lower it, or read the versions one by one';
        throw invalidFields([{ field: 'limit', issue }]);
      }
      return rows;
    };
    return readNumberedItems({ ownerId: accountId, total, read }, query);
  }

  /** Throws `not_found`. */
  async find(accountId: string, version: string): Promise<StyleRuleSet> {
    const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
    const found = await this.sets.findOneBy({ accountId, version: number });
    if (!found) throw notFound('version');
    return found;
  }

  /** Writes a new version, which is not in force yet. */
  async create(rules: StyleRule[], context: RequestContext): Promise<StyleRuleSet> {
    const { accountId, user } = context.principal;
    return this.change('created', context, async () => {
      const newest = await this.sets.findOne({ where: { accountId }, order: { version: 'DESC' } });
      const version = (newest?.version ?? 0) + 1;
      const createdAt = this.clock.now();
      const set = { accountId, version, rules, isActive: false, createdBy: user.id, createdAt };
      await this.sets.insert(set);
      return set;
    });
  }

  /** Puts a version in force instead of the one before. Throws `not_found`. */
  async activate(version: string, context: RequestContext): Promise<StyleRuleSet> {
    const { accountId } = context.principal;
    return this.change('activated', context, async () => {
      const found = await this.find(accountId, version);
      await this.sets.update({ accountId, isActive: true }, { isActive: false });
      await this.sets.update({ accountId, version: found.version }, { isActive: true });
      found.isActive = true;
      return found;
    });
  }

  /** Has no version in force any more. */
  async deactivate(context: RequestContext): Promise<void> {
    const { accountId } = context.principal;
    await this.change('deactivated', context, async () => {
      await this.sets.update({ accountId, isActive: true }, { isActive: false });
      return { version: null };
    });
  }

  /** The job that looks at what a version would find in the account's documents. Throws `not_found`, `conflict`. */
  async dryRun(version: string, context: RequestContext): Promise<Job> {
    const found = await this.find(context.principal.accountId, version);
    const input = { version: found.version };
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
        await this.database.run(LOCK, [accountId]);
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

  private get sets() {
    return this.database.repository(StyleRuleSetEntity);
  }
}
