import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit-entry.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Clock } from '../../clock/clock.js';
import { Database, type Statement } from '../../database/database.js';
import { notFound } from '../../errors/app-error.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Job } from '../../jobs/job.js';
import type { StyleRule } from '../analysis.js';
import { StyleRuleSetEntity } from '../entities/account-rules.entity.js';
import { DRY_RUN_STYLE_RULES } from './dry-run-style-rules.js';

/** Changes of an account's rules come one after the other: versions are numbered without a gap. */
const LOCK: Statement = {
  name: 'style-rules.lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('style-rules' || $1::text, 0))`,
};

export type StyleRuleSet = StyleRuleSetEntity;

/** The house rules of accounts. Every state is kept as a version; at most one is in force. */
@Injectable()
export class StyleRulesService {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** All versions, the newest first. */
  async list(accountId: string): Promise<StyleRuleSet[]> {
    return this.sets.find({ where: { accountId }, order: { version: 'DESC' } });
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
