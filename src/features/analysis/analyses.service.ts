import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/auth/request-context.js';
import { Database } from '../../platform/database/database.js';
import { DocumentsService } from '../documents/documents.service.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { decodeId, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { Job } from '../jobs/job.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../platform/http/pagination/creation-order.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import { AccountRulesService } from './account-rules.service.js';
import { AnalysisOrders } from './analysis-orders.js';
import { AnalysisRepository, type StoredAnalysis } from './analysis.repository.js';
import { effectiveSettings, settingsHash, type AnalysisWishes } from './analysis-settings.js';
import { ANALYZE_DOCUMENT } from './analyze-document.js';
import type { TextFormat } from '@document-service/text-analysis/analysis-request';

const LISTING = {
  name: 'analyses',
  table: 'analyses',
  where: 'item.account_id = $1 AND item.document_id = $2',
  total:
    'SELECT count(*) AS n FROM analyses AS item WHERE item.account_id = $1 AND item.document_id = $2',
  columns: `item.id, item.document_id AS "documentId", item.document_version AS "documentVersion",
            item.result::text AS result, item.created_at AS "createdAt"`,
  sorts: BY_CREATION,
};

/** Selects the newest analysis of each version. */
const NEWEST = `item.account_id = $1 AND item.document_id = $2 AND NOT EXISTS (
  SELECT FROM analyses AS newer
   WHERE newer.document_id = item.document_id AND newer.document_version = item.document_version
     AND (newer.created_at, newer.id) > (item.created_at, item.id))`;

/** Version numbers grow with time, so both sort keys mean the version. */
const BY_VERSION = { column: 'document_version', type: 'integer' as const };

const QUALITY_LISTING = {
  name: 'analyses.quality',
  table: 'analyses',
  where: NEWEST,
  total: `SELECT count(*) AS n FROM analyses AS item WHERE ${NEWEST}`,
  columns: `item.id, item.document_version AS version, (item.result -> 'scores')::text AS scores,
            item.created_at AS "createdAt"`,
  sorts: { created_at: BY_VERSION, updated_at: BY_VERSION },
};

/** The scores of a version. */
export interface VersionQuality {
  /** UUID of the analysis. */
  id: string;
  version: number;
  /** JSON text. */
  scores: string;
  createdAt: Date;
}

/** Either what was asked for, or the job that makes it. */
export type AnalysisOrJob = { analysis: StoredAnalysis } | { job: Job };

/** A text that is not stored. */
export interface GivenText extends AnalysisWishes {
  content: string;
  format: TextFormat;
}

/** Has documents and texts analysed, and reads what was found. Ids of documents and analyses are public ones. */
@Injectable()
export class AnalysesService {
  private readonly analyses: AnalysisRepository;

  constructor(
    private readonly documents: DocumentsService,
    private readonly accounts: AccountRulesService,
    private readonly orders: AnalysisOrders,
    private readonly database: Database,
  ) {
    this.analyses = new AnalysisRepository(database);
  }

  /**
   * The analysis of the document as it is now: the stored one when nothing that decides it has changed since, else a new
   * one, or the job that makes it when it takes longer. Throws `not_found`, and `forbidden` when the plan allows no more
   * today.
   */
  async analyze(
    id: string,
    wishes: AnalysisWishes,
    context: RequestContext,
  ): Promise<AnalysisOrJob> {
    const { accountId } = context.principal;
    const document = await this.documents.find(accountId, id);
    const settings = effectiveSettings(wishes, document.aiSettings);
    const { rules, engine } = await this.accounts.of(accountId);
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
    const made = decodeId('analysis', String(job.result?.['analysisId']));
    const analysis = made && (await this.analyses.find(accountId, documentId, made));
    return analysis ? { analysis } : { job };
  }

  /** The job that analyses a text which is not stored; it has ended when the text is short. Throws `forbidden` as above. */
  async analyzeText(
    { content, format, ...wishes }: GivenText,
    context: RequestContext,
  ): Promise<Job> {
    return this.orders.orderText(content, { settings: effectiveSettings(wishes), format }, context);
  }

  /** One page, the newest first. Throws `not_found`. */
  async list(
    accountId: string,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<StoredAnalysis>> {
    const { id: documentId } = await this.documents.find(accountId, id);
    return readPage(this.database, { ...LISTING, values: [documentId] }, accountId, request);
  }

  /** Returns one page of the newest scores of each analyzed version. Throws `not_found`. */
  async listQuality(
    accountId: string,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<VersionQuality>> {
    const { id: documentId } = await this.documents.find(accountId, id);
    return readPage(
      this.database,
      { ...QUALITY_LISTING, values: [documentId] },
      accountId,
      request,
    );
  }

  /** Throws `not_found`. */
  async find(accountId: string, id: string, analysisId: string): Promise<StoredAnalysis> {
    const document = await this.documents.find(accountId, id);
    const uuid = uuidOf('analysis', analysisId);
    const analysis = await this.analyses.find(accountId, document.id, uuid);
    if (!analysis) throw notFound('analysis');
    return analysis;
  }
}
