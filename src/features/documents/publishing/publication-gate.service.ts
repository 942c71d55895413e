import { Injectable } from '@nestjs/common';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Database } from '../../../platform/database/database.js';
import type { Document } from '../model/document-fields.js';
import type { CheckedVersion, PublicationCheck, PublicationProblem } from './publication-checks.js';
import { canOverride, ruleFor, type PublicationRule } from './publication-rules.js';
import { PublicationsRepository } from './publications.repository.js';
import { overrideForbidden, publicationRefused, publishingOff } from './publishing-errors.js';
import { PublishingSettingsRepository } from './publishing-settings.repository.js';

/** A version to publish, as readers would get it. */
export interface Candidate {
  document: Document;
  /** False if the request itself makes the text. */
  isStored: boolean;
}

/** A version that the rules of the account refuse. */
export interface RefusedVersion extends CheckedVersion {
  rule: PublicationRule;
  problems: readonly PublicationProblem[];
}

/** Why somebody publishes a version despite its problems. */
export interface Override {
  reason: string;
}

/** An override with the problems that it is about. */
export interface UsedOverride extends Override {
  problems: readonly PublicationProblem[];
}

/** The error for versions that the rules of the account refuse. */
export class PublicationRefused extends AppError {
  constructor(readonly refused: readonly RefusedVersion[]) {
    const problems = refused.flatMap((version) => version.problems);
    const { kind, message, details } = publicationRefused(problems);
    super(kind, message, details);
  }
}

/** Applies the publication rules of accounts. The rules are evaluated when a version is published, never earlier. */
@Injectable()
export class PublicationGate {
  private readonly checks: PublicationCheck[] = [];

  constructor(
    private readonly database: Database,
    private readonly settings: PublishingSettingsRepository,
    private readonly publications: PublicationsRepository,
  ) {}

  register(check: PublicationCheck): void {
    this.checks.push(check);
  }

  /** Throws `conflict` while publishing is off in the account. */
  async requireOn(accountId: string): Promise<void> {
    if (!(await this.settings.isEnabled(accountId))) throw publishingOff();
  }

  /**
   * Admits versions of one account, whose documents the caller's transaction has locked. Returns the overrides that were
   * needed, by UUID of the document. Throws {@link PublicationRefused}, and `forbidden` if the caller cannot override.
   */
  async admit(
    candidates: readonly Candidate[],
    principal: Principal,
    override?: Override,
  ): Promise<Map<string, UsedOverride>> {
    const refused = await this.refusedOf(candidates);
    if (refused.length === 0) return new Map();
    if (!override) throw new PublicationRefused(refused);
    const last = refused.find(({ rule }) => !canOverride(rule, principal));
    if (last) throw overrideForbidden(last.rule.override);
    return new Map(
      refused.map(({ document, problems }) => [document.id, { ...override, problems }]),
    );
  }

  /** Returns those of the versions of one account that the rules refuse. */
  async refusedOf(candidates: readonly Candidate[]): Promise<RefusedVersion[]> {
    const versions = await this.ruledOf(candidates);
    if (versions.length === 0) return [];
    if (this.checks.length === 0) throw new Error('This process has no publication checks.');
    const found = new Map<string, PublicationProblem[]>();
    for (const check of this.checks) {
      for (const [id, problems] of await check.problemsOf(versions))
        found.set(id, [...(found.get(id) ?? []), ...problems]);
    }
    return versions.flatMap((version) => {
      const problems = found.get(version.document.id) ?? [];
      return problems.length === 0 ? [] : [{ ...version, problems }];
    });
  }

  /**
   * Orders the missing analyses of versions. Returns false if there are none, or if the plan or the queue of the account
   * has no capacity for them.
   */
  async orderMissing(
    refused: readonly RefusedVersion[],
    context: RequestContext,
    { waits = false } = {},
  ): Promise<boolean> {
    const missing = refused.filter(({ problems }) => problems.some(isMissing));
    try {
      for (const version of missing)
        for (const check of this.checks) await check.order(version, context, { waits });
    } catch (error) {
      if (error instanceof AppError && ['forbidden', 'conflict'].includes(error.kind)) return false;
      throw error;
    }
    return missing.length > 0;
  }

  /**
   * Like {@link orderMissing}, for the error of a transaction that was rolled back. Does nothing inside another transaction,
   * which may be rolled back as well, and for other errors.
   */
  async orderMissingOf(
    error: unknown,
    context: RequestContext,
    options?: { waits: boolean },
  ): Promise<boolean> {
    if (this.database.isInTransaction || !(error instanceof PublicationRefused)) return false;
    return this.orderMissing(error.refused, context, options);
  }

  /** Returns the versions that a rule is about. Texts that were published despite their problems need nothing. */
  private async ruledOf(candidates: readonly Candidate[]) {
    const [first] = candidates;
    if (!first) return [];
    const { accountId } = first.document;
    const rules = await this.settings.rules(accountId);
    const ruled = candidates.flatMap((candidate) => {
      const rule = ruleFor(rules, candidate.document);
      return rule ? [{ ...candidate, rule }] : [];
    });
    const stored = ruled.filter(({ isStored }) => isStored);
    const documents = stored.map(({ document }) => document);
    const texts = await this.publications.sameTexts(accountId, documents);
    return ruled.flatMap(({ document, isStored, rule }) => {
      const text = isStored ? texts.get(document.id) : undefined;
      if (text?.isOverridden === true) return [];
      const range = text && { first: text.first, last: document.version };
      return [{ document, rule, required: rule.checks, stored: range ?? null }];
    });
  }
}

function isMissing({ check }: PublicationProblem): boolean {
  return check === 'analysis_missing';
}
