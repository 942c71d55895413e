import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { DocumentAnnouncements } from '../documents/document-announcements.js';
import { DocumentsRepository } from '../documents/documents.repository.js';
import { DocumentVersions } from '../documents/versions/document-versions.js';
import { notFound } from '../errors/app-error.js';
import { encodeId, newUuid } from '../identifiers/identifiers.js';
import {
  RunsJobs,
  type JobInput,
  type JobKind,
  type JobOutput,
  type JobRun,
  type JobRunner,
} from '../jobs/job-kind.js';
import { AnalysisRepository, type NewAnalysis } from './analysis.repository.js';
import { ANALYSIS_JOB } from './analysis-job.js';
import { SETTINGS, settingsHash } from './analysis-settings.js';
import { AccountRulesService, type AccountAnalysis } from './account-rules.service.js';
import { AnalysisProviders } from './providers/analysis-providers.js';
import type { AnalysisOutcome } from './providers/analysis-provider.js';

export const ANALYZE_DOCUMENT = {
  ...ANALYSIS_JOB,
  name: 'document.analyze',
  input: z.object({
    documentId: z.uuid(),
    version: z.int().positive(),
    settings: SETTINGS,
    settingsHash: z.string(),
  }),
} as const satisfies JobKind;

type Input = JobInput<typeof ANALYZE_DOCUMENT>;

/** Analyses a version of a document, and tells of it. */
@RunsJobs(ANALYZE_DOCUMENT)
@Injectable()
export class AnalyzeDocument implements JobRunner<Input> {
  private readonly documents: DocumentsRepository;
  private readonly versions: DocumentVersions;
  private readonly announcements: DocumentAnnouncements;
  private readonly analyses: AnalysisRepository;
  private readonly accounts: AccountRulesService;

  constructor(
    private readonly database: Database,
    private readonly providers: AnalysisProviders,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.documents = new DocumentsRepository(database);
    this.versions = new DocumentVersions(database);
    this.announcements = new DocumentAnnouncements(database, clock);
    this.analyses = new AnalysisRepository(database);
    this.accounts = new AccountRulesService(database, config);
  }

  async run(job: JobRun<Input>): Promise<JobOutput> {
    const { accountId, input, signal } = job;
    const { documentId, version: number, settings } = input;
    // A document in the trash has versions too, which nobody may read.
    const document = await this.documents.find(accountId, documentId);
    const version = document && (await this.versions.find({ accountId, id: documentId }, number));
    if (!version) throw notFound('document');
    const account = await this.accounts.of(accountId);
    const dismissed = await this.analyses.dismissed(accountId, documentId);
    const provider = this.providers.of(account.provider);
    const hash = settingsHash(settings, account.rules, provider.engine, dismissed);
    const same = await this.analyses.findSame(accountId, documentId, number, hash);
    if (same) return { json: { analysisId: encodeId('analysis', same.id) } };
    const outcome = await provider.analyze(
      {
        accountId,
        content: version.content,
        format: 'markdown',
        settings,
        rules: account.rules,
        dismissed,
        kept: await this.analyses.keptParagraphs(accountId, documentId),
      },
      signal,
    );
    const analysis = {
      id: newUuid(),
      accountId,
      documentId,
      documentVersion: number,
      settingsHash: hash,
      overall: outcome.overall,
      result: outcome.result,
      paragraphs: outcome.paragraphs,
      createdBy: job.context.principal.user.id,
      createdAt: this.clock.now(),
    };
    return this.database.transaction(() => this.store(analysis, outcome, account, job));
  }

  /** Analysis and events commit together. */
  private async store(
    analysis: NewAnalysis,
    { digest, overall }: AnalysisOutcome,
    { qualityDrop }: AccountAnalysis,
    { context }: JobRun<Input>,
  ): Promise<JobOutput> {
    const { accountId, documentId, documentVersion, settingsHash: hash } = analysis;
    const before = await this.analyses.scoreBefore(accountId, documentId, documentVersion);
    if (!(await this.analyses.insert(analysis))) {
      const same = await this.analyses.findSame(accountId, documentId, documentVersion, hash);
      return { json: { analysisId: same ? encodeId('analysis', same.id) : null } };
    }
    const analysisId = encodeId('analysis', analysis.id);
    const target = { documentId, context };
    await this.announcements.announce('document.analyzed', target, {
      analysis: { id: analysisId, documentVersion, ...digest },
    });
    const drop = before && overall !== null ? before.overall - overall : 0;
    if (before && qualityDrop !== null && drop > qualityDrop) {
      await this.announcements.announce('document.quality_dropped', target, {
        analysisId,
        from: { version: before.documentVersion, overall: before.overall },
        to: { version: documentVersion, overall },
      });
    }
    return { json: { analysisId } };
  }
}
