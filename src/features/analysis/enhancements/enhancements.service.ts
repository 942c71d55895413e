import { Injectable } from '@nestjs/common';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import type { Document } from '../../documents/model/document-fields.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { LongTextsService } from '../../content/long-texts/long-texts.service.js';
import { DocumentVersionsRepository } from '../../documents/versions/document-versions.repository.js';
import { JobQueue } from '../../jobs/queue/job-queue.js';
import { hasEnded, type Job } from '../../jobs/job.js';
import { QuotasService, type Owner } from '../../usage/quotas/quotas.service.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import {
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { isMissingReference } from '../../../platform/basics/errors/database-error.js';
import { encodeId, newUuid, uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import type { CreationSort } from '../../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../../platform/http/pagination/read-page.js';
import { applyEdits, compatibleEdits, firstReplacements } from './apply-suggestions.js';
import type {
  PreviewedEnhancement,
  RequestedEnhancement,
  Preview,
} from './enhancement.presenter.js';
import {
  EnhancementsRepository,
  type Enhancement,
  type EnhancementHead,
} from './enhancements.repository.js';
import { taskLengthOf } from '../../../platform/threads/task-length.js';
import { AnalysisOrdersService } from '../analyses/analysis-orders.service.js';
import { effectiveSettings, type AnalysisWishes } from '../analyses/analysis-settings.js';
import {
  goalsOf,
  isOfflineGoal,
  type Goal,
  type RequestedGoal,
} from '../providers/analysis-provider.js';
import { needsModel } from '../providers/offline/offline-provider.js';
import { AccountRulesService } from '../settings/account-settings.service.js';
import { ENHANCE_DOCUMENT } from './enhance-document.js';
import type { EnhancementSettings } from './enhancement.js';

/** The document version to enhance, and how. */
interface EnhancementOrder {
  documentId: string;
  version: number;
  /** UTF-8 bytes of the content. */
  bytes: number;
  goals: readonly Goal[];
  instructions: string | null;
  settings: EnhancementSettings;
  automatic: boolean;
  engine: EngineVersion;
  /** The account whose daily quota is charged. */
  payer: Owner;
}

/** Queues enhancements. Each one counts against the plan's daily quota. */
@Injectable()
export class EnhancementOrdersService {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly quotas: QuotasService,
    private readonly enhancements: EnhancementsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an enhancement and its job in one transaction. Throws `not_found`, `forbidden` if the plan's daily quota is
   * used up, and `conflict` if too many of the account's jobs are unfinished.
   */
  async order(
    { documentId, version, bytes, engine, payer, goals, ...order }: EnhancementOrder,
    context: RequestContext,
  ): Promise<{ enhancementId: string; job: Job }> {
    const { accountId, user } = context.principal;
    const work = async () => {
      const enhancementId = newUuid();
      const job = await this.jobs.add(
        {
          kind: ENHANCE_DOCUMENT,
          input: { documentId, enhancementId },
          isLong: taskLengthOf(bytes) === 'long',
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
    return this.database.transaction(work, context.caller).catch((error: unknown) => {
      // The document was permanently deleted in the meantime.
      throw isMissingReference(error) ? notFound('document') : error;
    });
  }
}

/** Options of an enhancement request. */
interface EnhancementWishes extends AnalysisWishes {
  goals?: RequestedGoal[] | undefined;
  instructions?: string | undefined;
  tone?: string | undefined;
  targetLanguage?: string | undefined;
}

/** Creates and reads enhancements. Ids of documents and enhancements in parameters are public ids. */
@Injectable()
export class EnhancementsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly accounts: AccountRulesService,
    private readonly orders: EnhancementOrdersService,
    private readonly waits: AnalysisOrdersService,
    private readonly enhancements: EnhancementsRepository,
    private readonly versions: DocumentVersionsRepository,
    private readonly texts: LongTextsService,
  ) {}

  /**
   * Starts an enhancement of the current version of the document, and waits for its job if the text is short. Throws `not_found`, `bad_request` for goals that the account's provider does not support or
   * that lack details, and `forbidden` if the caller cannot edit the document or the plan's daily quota is used up.
   */
  async enhance(
    id: string,
    wishes: EnhancementWishes,
    context: RequestContext,
  ): Promise<RequestedEnhancement> {
    const { access } = context;
    const document = await this.documents.find(access, id, 'editor');
    const { accountId } = document;
    const { provider, engine } = await this.accounts.forAccount(accountId);
    const { instructions = null, tone, targetLanguage } = wishes;
    const goals = goalsOf(wishes.goals ?? ['correct']);
    const modelGoals = goals.filter((goal) => !isOfflineGoal(goal));
    if (provider === 'offline' && modelGoals.length > 0) throw needsModel(modelGoals);
    requireDetails(goals, wishes);
    const settings = {
      ...effectiveSettings(wishes, document.aiSettings),
      tone: tone ?? null,
      targetLanguage: targetLanguage ?? null,
    };
    const bytes = Buffer.byteLength(document.content);
    const ordered = await this.orders.order(
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
    const job = await this.waits.waitForShort(ordered.job, bytes);
    const enhancementId = encodeId('enhancement', ordered.enhancementId);
    if (!hasEnded(job)) return { enhancementId, job };
    return { enhancementId, job, made: await this.find(access, id, enhancementId) };
  }

  /** Returns one page, newest first. Throws `not_found`. */
  async list(
    access: Access,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EnhancementHead>> {
    const { accountId, id: documentId } = await this.documents.find(access, id);
    return this.enhancements.list(accountId, documentId, request);
  }

  /** Returns the enhancement with a preview. Throws `not_found`. */
  async find(access: Access, id: string, enhancementId: string): Promise<PreviewedEnhancement> {
    const document = await this.documents.find(access, id);
    const enhancement = await this.read(document, enhancementId);
    return { enhancement, preview: await this.preview(document, enhancement) };
  }

  /** Returns the enhancement without a preview. Throws `not_found`. */
  async head(access: Access, id: string, enhancementId: string): Promise<EnhancementHead> {
    return this.read(await this.documents.find(access, id), enhancementId);
  }

  private async read({ accountId, id }: Document, enhancementId: string): Promise<Enhancement> {
    const found = await this.enhancements.find(accountId, id, uuidOf('enhancement', enhancementId));
    if (!found) throw notFound('enhancement');
    return found;
  }

  private async preview(document: Document, enhancement: Enhancement): Promise<Preview | null> {
    const { accountId, id } = document;
    const { status, textVersion, suggestions } = enhancement;
    if (status === 'pending') return null;
    const version =
      textVersion === document.version
        ? document
        : await this.versions.find({ accountId, id }, textVersion);
    if (!version) return null;
    const { edits } = compatibleEdits(firstReplacements(suggestions));
    const text = applyEdits(version.content, edits);
    const labels = { from: `v${String(textVersion)}`, to: 'preview' };
    const diff = await this.texts.diff(accountId, version.content, text, labels);
    return { text, diff };
  }
}

const REQUIRED_DETAILS: Partial<Record<Goal, 'tone' | 'targetLanguage' | 'instructions'>> = {
  tone: 'tone',
  translate: 'targetLanguage',
  custom: 'instructions',
};

/** Throws `bad_request` for goals without the field that they require. */
function requireDetails(goals: readonly Goal[], wishes: EnhancementWishes): void {
  const problems = goals.flatMap((goal): FieldProblem[] => {
    const field = REQUIRED_DETAILS[goal];
    if (field === undefined || (wishes[field] ?? '').trim() !== '') return [];
    return [{ field, issue: `required field missing: the goal ${goal} needs it` }];
  });
  const [first, ...rest] = problems;
  if (first) throw invalidFields([first, ...rest]);
}
