import { Injectable } from '@nestjs/common';
import type { AnalysisResult, TextRange } from '@document-service/text-analysis/analysis';
import type { TextFormat } from '@document-service/text-analysis/analysis-request';
import type { Right } from '../../auth/access/rights.js';
import type { RequestContext } from '../../auth/request-context.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { AnalysisRepository } from '../analyses/analysis.repository.js';
import { effectiveSettings, type AnalysisWishes } from '../analyses/analysis-settings.js';
import { CheckerEngine } from './checker-engine.js';
import { CheckerQuota } from './checker-quota.js';
import { MAX_TEXT_LENGTH, textTooLong } from './field-limits.js';
import { wholeParagraphs } from './whole-paragraphs.js';

/** A text that is checked at once. Nothing of it is stored. */
interface TextToCheck extends AnalysisWishes {
  content: string;
  format: TextFormat;
  /** Public ID of the document whose settings and dismissals apply. */
  documentId?: string | undefined;
  /** The parts to check; the rest is context. Default: all. */
  ranges?: readonly TextRange[] | undefined;
}

/**
 * Checks texts with the engine and the quota of the checker for editors, but with issues as in analyses. See
 * docs/adr/0037-checks-as-people-type.md.
 */
@Injectable()
export class TextCheckService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly analyses: AnalysisRepository,
    private readonly quota: CheckerQuota,
    private readonly engine: CheckerEngine,
  ) {}

  /**
   * Returns the JSON text of an `AnalysisResult`. Throws `not_found` for the document, `payload_too_large`, `forbidden`
   * without the required right in the document or if the plan's daily characters are used up, and the errors of
   * {@link CheckerEngine.analyze}.
   */
  async check(
    text: TextToCheck,
    { principal, access, caller }: RequestContext,
    required: Right = 'viewer',
  ): Promise<string> {
    const { content, format, documentId, ranges: given, ...wishes } = text;
    if (content.length > MAX_TEXT_LENGTH) throw textTooLong(content.length);
    if (!caller) throw new Error('Only a request can check a text.');
    const { accountId } = principal;
    const document =
      documentId === undefined
        ? undefined
        : await this.documents.find(access, documentId, required);
    const ranges = given && wholeParagraphs(content, given);
    const counted = ranges?.map(({ start, end }) => content.slice(start, end)) ?? content;
    const request = {
      content,
      format,
      settings: effectiveSettings(wishes, document?.aiSettings),
      dismissed: document ? await this.analyses.dismissed(accountId, document.id) : [],
      ...(ranges && { ranges }),
    };
    return this.quota.withinQuota(counted, principal, caller, () =>
      this.engine.analyze(request, accountId, caller),
    );
  }

  /** Returns the ids of the issues in a text of a document that the caller can edit. Throws like {@link check}. */
  async issueIds(
    text: Pick<TextToCheck, 'content' | 'ranges'> & { documentId: string },
    context: RequestContext,
  ): Promise<ReadonlySet<string>> {
    const result = await this.check({ ...text, format: 'markdown' }, context, 'editor');
    return new Set((JSON.parse(result) as AnalysisResult).issues.map(({ id }) => id));
  }
}
