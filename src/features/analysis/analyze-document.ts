import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { DocumentAnnouncements } from '../documents/changes/document-announcements.js';
import { encodeId, newUuid } from '../../platform/basics/identifiers/identifiers.js';
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
import type { AccountAnalysis } from './account-rules.service.js';
import { DocumentsToAnalyze } from './documents-to-analyze.js';
import { AnalysisProviders } from './providers/analysis-providers.js';
import type { AnalysisOutcome } from '@document-service/text-analysis/analysis-request';

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
  private readonly documents: DocumentsToAnalyze;
  private readonly announcements: DocumentAnnouncements;
  private readonly analyses: AnalysisRepository;

  constructor(
    private readonly database: Database,
    private readonly providers: AnalysisProviders,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.documents = new DocumentsToAnalyze(database, config);
    this.announcements = new DocumentAnnouncements(database, clock);
    this.analyses = new AnalysisRepository(database);
  }

  async run(job: JobRun<Input>): Promise<JobOutput> {
    const { accountId, input, signal } = job;
    const { documentId, version: number, settings } = input;
    const { account, text } = await this.documents.read(accountId, documentId, number);
    const provider = this.providers.of(account.provider);
    const hash = settingsHash(settings, text.rules, provider.engine, text.dismissed);
    const same = await this.analyses.findSame(accountId, documentId, number, hash);
    if (same) return { json: { analysisId: encodeId('analysis', same.id) } };
    const kept = await this.analyses.keptParagraphs(accountId, documentId);
    const outcome = await provider.analyze({ ...text, settings, kept }, signal);
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
    const target = { documentId, context };
    await this.announcements.lock(target);
    const before = await this.analyses.scoreBefore(accountId, documentId, documentVersion);
    if (!(await this.analyses.insert(analysis))) {
      const same = await this.analyses.findSame(accountId, documentId, documentVersion, hash);
      return { json: { analysisId: same ? encodeId('analysis', same.id) : null } };
    }
    const analysisId = encodeId('analysis', analysis.id);
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
