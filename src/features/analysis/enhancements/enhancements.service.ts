import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import {
  notFound,
  invalidFields,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { isMissingReference } from '../../../platform/basics/errors/database-error.js';
import { newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Job } from '../../jobs/job.js';
import { laneOf } from '../../../platform/threads/lanes.js';
import { Quotas, type Owner } from '../../usage/quotas.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type { Goal } from '../providers/analysis-provider.js';
import type { EnhancementSettings } from './enhancement.js';
import { ENHANCE_DOCUMENT } from './enhance-document.js';
import {
  EnhancementsRepository,
  type Enhancement,
  type EnhancementHead,
} from './enhancements.repository.js';
import { DocumentsService } from '../../documents/documents.service.js';
import type { Document } from '../../documents/document-fields.js';
import { LongTexts } from '../../documents/long-texts/long-texts.js';
import { DocumentVersions } from '../../documents/versions/document-versions.js';
import type { CreationSort } from '../../../platform/http/pagination/creation-order.dto.js';
import type { Page, PageRequest } from '../../../platform/http/pagination/read-page.js';
import { applyEdits, compatibleEdits, firstReplacements } from './apply-suggestions.js';
import type { Preview } from './enhancement.presenter.js';
import { AccountRulesService } from '../settings/account-rules.service.js';
import { AnalysisOrders } from '../analyses/analysis-orders.js';
import { effectiveSettings, type AnalysisWishes } from '../analyses/analysis-settings.js';
import { needsModel } from '../providers/offline/offline-provider.js';

/** What is to be proposed, for which version of which document. */
export interface EnhancementOrder {
  documentId: string;
  version: number;
  /** UTF-8 bytes of the content. */
  bytes: number;
  goals: readonly Goal[];
  instructions: string | null;
  settings: EnhancementSettings;
  automatic: boolean;
  engine: EngineVersion;
  /** Whose analyses of the day it takes one of. */
  payer: Owner;
}

/** Orders enhancements: each counts against the plan's analyses of the day. */
@Injectable()
export class EnhancementOrders {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly quotas: Quotas,
    private readonly enhancements: EnhancementsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The UUID of the new enhancement and the job that makes it, which commit together. Throws `not_found`, `forbidden` when the plan
   * allows no more today, and `conflict` when too many of the account's jobs wait.
   */
  async order(
    { documentId, version, bytes, engine, payer, goals, ...order }: EnhancementOrder,
    context: RequestContext,
  ): Promise<{ enhancementId: string; job: Job }> {
    const { accountId, user } = context.principal;
    const ordered = async () => {
      const enhancementId = newUuid();
      const job = await this.jobs.add(
        {
          kind: ENHANCE_DOCUMENT,
          input: { documentId, enhancementId },
          isLong: laneOf(bytes) === 'long',
          admit: () => this.quotas.countToday(payer, 'analysesPerDay', 1),
        },
        context,
      );
      await this.enhancements.insert({
        ...order,
        goals: [...goals],
        id: enhancementId,
        accountId,
        documentId,
        jobId: job.id,
        baseVersion: version,
        engine,
        createdBy: user.id,
        createdAt: this.clock.now(),
      });
      return { enhancementId, job };
    };
    return this.database.transaction(ordered, context.caller).catch((error: unknown) => {
      // The document was removed for good meanwhile.
      throw isMissingReference(error) ? notFound('document') : error;
    });
  }
}

/** An enhancement with what it would make of the document. */
export interface PreviewedEnhancement {
  enhancement: Enhancement;
  preview: Preview | null;
}

/** Reads what was proposed for documents. Ids of documents and enhancements are public ones. */
@Injectable()
export class EnhancementsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly enhancements: EnhancementsRepository,
    private readonly versions: DocumentVersions,
    private readonly texts: LongTexts,
  ) {}

  /** One page, the newest first. Throws `not_found`. */
  async list(
    accountId: string,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EnhancementHead>> {
    const { id: documentId } = await this.documents.find(accountId, id);
    return this.enhancements.list(accountId, documentId, request);
  }

  /** Throws `not_found`. */
  async find(accountId: string, id: string, enhancementId: string): Promise<PreviewedEnhancement> {
    const document = await this.documents.find(accountId, id);
    return this.previewed(document, uuidOf('enhancement', enhancementId));
  }

  /** Without what it would make of the document. Throws `not_found`. */
  async head(accountId: string, id: string, enhancementId: string): Promise<EnhancementHead> {
    const document = await this.documents.find(accountId, id);
    const uuid = uuidOf('enhancement', enhancementId);
    const found = await this.enhancements.find(accountId, document.id, uuid);
    if (!found) throw notFound('enhancement');
    return found;
  }

  private async previewed(document: Document, uuid: string): Promise<PreviewedEnhancement> {
    const { accountId, id: documentId } = document;
    const enhancement = await this.enhancements.find(accountId, documentId, uuid);
    if (!enhancement) throw notFound('enhancement');
    if (enhancement.status === 'pending') return { enhancement, preview: null };
    const { textVersion, suggestions } = enhancement;
    const version =
      textVersion === document.version
        ? document
        : await this.versions.find({ accountId, id: documentId }, textVersion);
    if (!version) return { enhancement, preview: null };
    const { edits } = compatibleEdits(firstReplacements(suggestions));
    const text = applyEdits(version.content, edits);
    const labels = { from: `v${String(textVersion)}`, to: 'preview' };
    const diff = await this.texts.diff(accountId, version.content, text, labels);
    return { enhancement, preview: { text, diff } };
  }
}

/** What a client may ask of one enhancement. */
export interface EnhancementWishes extends AnalysisWishes {
  goals?: Goal[] | undefined;
  instructions?: string | undefined;
  tone?: string | undefined;
  targetLanguage?: string | undefined;
}

/** Has changes of documents proposed for who asks for them. */
@Injectable()
export class EnhancementRequests {
  constructor(
    private readonly documents: DocumentsService,
    private readonly accounts: AccountRulesService,
    private readonly orders: EnhancementOrders,
    private readonly waits: AnalysisOrders,
  ) {}

  /**
   * The UUID of an enhancement of the document as it is now, by its public id, and the job that makes it, which has ended
   * unless that takes long. Throws `not_found`, `bad_request` for goals that the account's provider does not have or that
   * say too little, and `forbidden` when the plan allows no more today.
   */
  async enhance(
    id: string,
    wishes: EnhancementWishes,
    context: RequestContext,
  ): Promise<{ enhancementId: string; job: Job }> {
    const { accountId } = context.principal;
    const document = await this.documents.find(accountId, id);
    const { provider, engine } = await this.accounts.of(accountId);
    const { goals = ['correct'], instructions = null, tone, targetLanguage } = wishes;
    const beyond = goals.filter((goal) => goal !== 'correct');
    if (provider === 'offline' && beyond.length > 0) throw needsModel(beyond);
    requireDetails(goals, wishes);
    const settings = {
      ...effectiveSettings(wishes, document.aiSettings),
      tone: tone ?? null,
      targetLanguage: targetLanguage ?? null,
    };
    const bytes = Buffer.byteLength(document.content);
    const { enhancementId, job } = await this.orders.order(
      {
        documentId: document.id,
        version: document.version,
        bytes,
        goals,
        instructions,
        settings,
        automatic: false,
        engine,
        payer: context.principal,
      },
      context,
    );
    const ended = await this.waits.waitedFor(job, bytes);
    return { enhancementId, job: ended };
  }
}

/** Some goals say nothing by themselves. */
function requireDetails(goals: readonly Goal[], wishes: EnhancementWishes): void {
  const needed: Partial<Record<Goal, 'tone' | 'targetLanguage' | 'instructions'>> = {
    tone: 'tone',
    translate: 'targetLanguage',
    custom: 'instructions',
  };
  const problems = goals.flatMap((goal): FieldProblem[] => {
    const field = needed[goal];
    if (field === undefined || (wishes[field] ?? '').trim() !== '') return [];
    return [{ field, issue: `required field missing: the goal ${goal} needs it` }];
  });
  const [first, ...rest] = problems;
  if (first) throw invalidFields([first, ...rest]);
}
