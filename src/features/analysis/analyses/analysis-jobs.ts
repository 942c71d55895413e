import {
  type JobKind,
  RunsJobs,
  type JobInput,
  type JobOutput,
  type JobRun,
  type JobRunner,
} from '../../jobs/queue/job-kind.js';
import { Database } from '../../../platform/database/database.js';
import { AccountRulesService, type AccountAnalysis } from '../settings/account-settings.service.js';
import { AnalyzedDocumentsService } from './analyzed-documents.service.js';
import { AnalysisRepository, type NewAnalysis } from './analysis.repository.js';
import {
  type AnalysisOutcome,
  TEXT_FORMATS,
} from '@document-service/text-analysis/analysis-request';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { DocumentAnnouncementsService } from '../../documents/changes/document-announcements.service.js';
import { encodeId, newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { SETTINGS, settingsHash } from './analysis-settings.js';
import { AnalysisProviders } from '../providers/analysis-providers.js';
import { StoredFilesRepository } from '../../jobs/stored-files.repository.js';

/** Settings of all jobs that analyze one text. Providers compute in their own threads, or wait for a model. */
export const ANALYSIS_JOB = {
  scope: 'documents:analyze',
  runsIn: 'process',
  limits: {
    // These jobs mostly wait for a thread or a model. Thread pools share their time among accounts.
    concurrency: 8,
    concurrencyPerAccount: 2,
    // One after the other, so that the first of an account's long texts ends early.
    long: { concurrency: 2, concurrencyPerAccount: 1 },
    unfinishedPerAccount: 100,
    // A model may need most of an hour for a long text. Tasks of the offline engine have shorter limits of their own.
    timeLimitMs: 60 * 60 * 1000,
    maxAttempts: 3,
  },
} as const satisfies Pick<JobKind, 'scope' | 'runsIn' | 'limits'>;

export const ANALYZE_DOCUMENT = {
  ...ANALYSIS_JOB,
  name: 'document.analyze',
  reads: 'document',
  input: z.object({
    documentId: z.uuid(),
    version: z.int().positive(),
    settings: SETTINGS,
    settingsHash: z.string(),
  }),
} as const satisfies JobKind;

type Input = JobInput<typeof ANALYZE_DOCUMENT>;

/** Analyzes a version of a document and emits `document.analyzed`. */
@RunsJobs(ANALYZE_DOCUMENT)
@Injectable()
export class AnalyzeDocument implements JobRunner<Input> {
  constructor(
    private readonly database: Database,
    private readonly documents: AnalyzedDocumentsService,
    private readonly analyses: AnalysisRepository,
    private readonly announcements: DocumentAnnouncementsService,
    private readonly providers: AnalysisProviders,
    private readonly clock: Clock,
  ) {}

  async run(job: JobRun<Input>): Promise<JobOutput> {
    const { accountId, input, signal } = job;
    const { documentId, version, settings } = input;
    const target = { access: job.context.access, documentId, number: version };
    const { account, text } = await this.documents.read(target);
    const provider = this.providers.get(account.provider);
    const hash = settingsHash(settings, text.rules, provider.engine, text.dismissed);
    const same = await this.analyses.findSame(accountId, documentId, version, hash);
    if (same) return { json: { analysisId: encodeId('analysis', same.id) } };
    const kept = await this.analyses.reusableParagraphs(accountId, documentId);
    const outcome = await provider.analyze({ ...text, settings, kept }, signal);
    const analysis = {
      id: newUuid(),
      accountId,
      documentId,
      documentVersion: version,
      settingsHash: hash,
      overall: outcome.overall,
      result: outcome.result,
      paragraphs: outcome.paragraphs,
      createdBy: job.context.principal.user.id,
      createdAt: this.clock.now(),
    };
    return this.database.transaction(() => this.store(analysis, outcome, account, job));
  }

  /** Commits the analysis and its events together. */
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

export const ANALYZE_TEXT = {
  ...ANALYSIS_JOB,
  name: 'text.analyze',
  reads: 'own',
  input: z.object({ settings: SETTINGS, format: z.enum(TEXT_FORMATS) }),
} as const satisfies JobKind;

export type AnalyzeTextInput = JobInput<typeof ANALYZE_TEXT>;

/** Analyzes a text that is not stored as a document. The job's result is the analysis. */
@RunsJobs(ANALYZE_TEXT)
@Injectable()
export class AnalyzeText implements JobRunner<AnalyzeTextInput> {
  constructor(
    private readonly accounts: AccountRulesService,
    private readonly files: StoredFilesRepository,
    private readonly providers: AnalysisProviders,
  ) {}

  async run({
    accountId,
    input,
    inputFileId,
    signal,
  }: JobRun<AnalyzeTextInput>): Promise<JobOutput> {
    const file = await this.files.open({ accountId, id: inputFileId ?? '' });
    if (!file) throw new Error('The text of this job no longer exists.');
    const pieces: Buffer[] = [];
    for await (const piece of file.content) pieces.push(piece as Buffer);
    const { rules, provider } = await this.accounts.forAccount(accountId);
    const { settings, format } = input;
    const { result } = await this.providers.get(provider).analyze(
      {
        accountId,
        content: Buffer.concat(pieces).toString(),
        format,
        settings,
        rules,
        dismissed: [],
        kept: null,
      },
      signal,
    );
    return { json: JSON.parse(result) as Record<string, unknown> };
  }
}
