import { Injectable } from '@nestjs/common';
import { DocumentsService } from '../../documents/documents.service.js';
import type { Document } from '../../documents/document-fields.js';
import { LongTexts } from '../../documents/long-texts/long-texts.js';
import { DocumentVersions } from '../../documents/versions/document-versions.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../../platform/http/pagination/creation-order.dto.js';
import type { Page, PageRequest } from '../../../platform/http/pagination/read-page.js';
import { applyEdits, compatibleEdits } from './apply-suggestions.js';
import type { PreviewedEnhancement } from './enhancement.presenter.js';
import { EnhancementsRepository, type EnhancementHead } from './enhancements.repository.js';
import { firstReplacements } from './review.js';

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
