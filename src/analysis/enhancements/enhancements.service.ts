import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { DocumentsService } from '../../documents/documents.service.js';
import type { Document } from '../../documents/document-fields.js';
import { LongTexts } from '../../documents/long-texts/long-texts.js';
import { DocumentVersions } from '../../documents/versions/document-versions.js';
import { invalidFields, notFound, type FieldProblem } from '../../errors/app-error.js';
import { uuidOf } from '../../identifiers/identifiers.js';
import { hasEnded, type Job } from '../../jobs/job.js';
import type { CreationSort } from '../../pagination/creation-order.dto.js';
import type { Page, PageRequest } from '../../pagination/read-page.js';
import { AccountRulesService } from '../account-rules.service.js';
import { AnalysisOrders } from '../analysis-orders.js';
import { effectiveSettings, type AnalysisWishes } from '../analysis-settings.js';
import { needsModel } from '../providers/offline/offline-provider.js';
import type { Goal } from '../providers/analysis-provider.js';
import { applyEdits, compatibleEdits } from './apply-suggestions.js';
import { EnhancementOrders } from './enhancement-orders.js';
import type { Preview } from './enhancement.presenter.js';
import {
  EnhancementsRepository,
  type Enhancement,
  type EnhancementHead,
} from './enhancements.repository.js';
import { firstReplacements } from './review.js';

/** What a client may ask of one enhancement. */
export interface EnhancementWishes extends AnalysisWishes {
  goals?: Goal[] | undefined;
  instructions?: string | undefined;
  tone?: string | undefined;
  targetLanguage?: string | undefined;
}

/** An enhancement with what it would make of the document. */
export interface PreviewedEnhancement {
  enhancement: Enhancement;
  preview: Preview | null;
}

/** Has changes of documents proposed, and reads what was. Ids of documents and enhancements are public ones. */
@Injectable()
export class EnhancementsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly enhancements: EnhancementsRepository,
    private readonly orders: EnhancementOrders,
    private readonly accounts: AccountRulesService,
    private readonly waits: AnalysisOrders,
    private readonly versions: DocumentVersions,
    private readonly texts: LongTexts,
  ) {}

  /**
   * Changes for the document as it is now, or the job that makes them when that takes longer. Throws `not_found`,
   * `bad_request` for goals that the account's provider does not have or that say too little, and `forbidden` when the
   * plan allows no more today.
   */
  async enhance(
    id: string,
    wishes: EnhancementWishes,
    context: RequestContext,
  ): Promise<PreviewedEnhancement | { job: Job; enhancementId: string }> {
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
    const { enhancementId, job } = await this.orders.order(
      {
        documentId: document.id,
        version: document.version,
        goals,
        instructions,
        settings,
        automatic: false,
        engine,
        payer: context.principal,
      },
      context,
    );
    const ended = await this.waits.waitedFor(job, Buffer.byteLength(document.content));
    if (!hasEnded(ended)) return { job: ended, enhancementId };
    return this.previewed(document, enhancementId);
  }

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
