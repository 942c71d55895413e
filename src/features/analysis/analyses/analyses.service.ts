import { Injectable } from '@nestjs/common';
import type { TextFormat } from '@document-service/text-analysis/analysis-request';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import { DocumentsService } from '../../documents/documents.service.js';
import type { Job } from '../../jobs/job.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { decodeId, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../../platform/http/pagination/read-page.js';
import { AccountRulesService } from '../settings/account-settings.service.js';
import { ANALYZE_DOCUMENT } from './analysis-jobs.js';
import { AnalysisOrdersService } from './analysis-orders.service.js';
import {
  AnalysisRepository,
  type StoredAnalysis,
  type VersionQuality,
} from './analysis.repository.js';
import { effectiveSettings, settingsHash, type AnalysisWishes } from './analysis-settings.js';

/** The analysis, or the job that creates it. */
type AnalysisOrJob = { analysis: StoredAnalysis } | { job: Job };

/** A text that is not stored as a document. */
interface GivenText extends AnalysisWishes {
  content: string;
  format: TextFormat;
}

/** Analyzes documents and texts, and reads stored analyses. Ids of documents and analyses are public ids. */
@Injectable()
export class AnalysesService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly accounts: AccountRulesService,
    private readonly orders: AnalysisOrdersService,
    private readonly analyses: AnalysisRepository,
  ) {}

  /**
   * Analyzes the current version of the document. If text, settings and rules are unchanged, returns the stored analysis.
   * Otherwise returns a new one, or the job that creates it if that takes long. Throws `not_found`, and `forbidden` if
   * the caller cannot edit the document or the plan's daily quota is used up.
   */
  async analyze(
    id: string,
    wishes: AnalysisWishes,
    context: RequestContext,
  ): Promise<AnalysisOrJob> {
    const { accountId } = context.access;
    const document = await this.documents.find(context.access, id, 'editor');
    const settings = effectiveSettings(wishes, document.aiSettings);
    const { rules, engine } = await this.accounts.forAccount(accountId);
    const dismissed = await this.analyses.dismissed(accountId, document.id);
    const hash = settingsHash(settings, rules, engine, dismissed);
    const stored = await this.analyses.findSame(accountId, document.id, document.version, hash);
    if (stored) return { analysis: stored };
    const { id: documentId, version } = document;
    const job = await this.orders.order(
      { kind: ANALYZE_DOCUMENT, input: { documentId, version, settings, settingsHash: hash } },
      Buffer.byteLength(document.content),
      context,
    );
    const created = decodeId('analysis', String(job.result?.['analysisId']));
    const analysis = created && (await this.analyses.find(accountId, documentId, created));
    return analysis ? { analysis } : { job };
  }

  /**
   * Starts the job that analyzes a text that is not stored, and waits for it if the text is short. Throws `forbidden` as
   * {@link analyze} does.
   */
  async analyzeText(
    { content, format, ...wishes }: GivenText,
    context: RequestContext,
  ): Promise<Job> {
    return this.orders.orderText(content, { settings: effectiveSettings(wishes), format }, context);
  }

  /** Returns one page, newest first. Throws `not_found`. */
  async list(
    access: Access,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<StoredAnalysis>> {
    const { accountId, id: documentId } = await this.documents.find(access, id);
    return this.analyses.list(accountId, documentId, request);
  }

  /** Returns one page of scores, oldest version first. Throws `not_found`. */
  async listQuality(
    access: Access,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<VersionQuality>> {
    const { accountId, id: documentId } = await this.documents.find(access, id);
    return this.analyses.quality(accountId, documentId, request);
  }

  /** Throws `not_found`. */
  async find(access: Access, id: string, analysisId: string): Promise<StoredAnalysis> {
    const { accountId, id: documentId } = await this.documents.find(access, id);
    const uuid = uuidOf('analysis', analysisId);
    const analysis = await this.analyses.find(accountId, documentId, uuid);
    if (!analysis) throw notFound('analysis');
    return analysis;
  }
}
