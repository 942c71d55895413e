import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { Page } from '../../../platform/http/pagination/read-page.js';
import type { Preconditions } from '../../../platform/http/envelope/preconditions.js';
import { DocumentChangesService } from '../changes/document-changes.service.js';
import type { PresentedDocument } from '../model/document-events.js';
import { restoredFields, type Document } from '../model/document-fields.js';
import { DocumentsRepository } from '../documents.repository.js';
import { LongTextsService } from '../../content/long-texts/long-texts.service.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { notPublished } from '../publishing/publishing-errors.js';
import { diffVersions } from './version-diff.js';
import {
  DocumentVersionsRepository,
  type ListedVersion,
  type WholeVersion,
} from './document-versions.repository.js';

/** The document id and version number in a request path. */
interface VersionTarget {
  id: string;
  number: string;
}

/** Reads, compares and restores the versions of documents. Versions are immutable. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly versions: DocumentVersionsRepository,
    private readonly changes: DocumentChangesService,
    private readonly texts: LongTextsService,
  ) {}

  /** Returns one page. Throws `not_found`, and `bad_request` for a cursor of another list. */
  async list(access: Access, id: string, query: PageQueryDto): Promise<Page<ListedVersion>> {
    return this.versions.page(await this.document(access, id), query);
  }

  /** Returns one version with its content. Throws `not_found`. */
  async find(access: Access, { id, number }: VersionTarget): Promise<WholeVersion> {
    return this.versions.get(await this.document(access, id), number);
  }

  /**
   * Returns the diff from version `against`, by default the previous one, as JSON text. Throws `not_found`, and `conflict` if
   * there is no published version to compare with.
   */
  async diff(
    access: Access,
    { id, number }: VersionTarget,
    against: number | 'published' | undefined,
  ): Promise<string> {
    const document = await this.document(access, id);
    const to = await this.versions.get(document, number);
    const older =
      against === 'published' ? document.publishedVersion : (against ?? Math.max(to.number - 1, 1));
    if (older === null) throw notPublished();
    const from = await this.versions.get(document, String(older));
    const content = await this.texts.diff(access.accountId, from.content, to.content, {
      from: `v${String(from.number)}`,
      to: `v${String(to.number)}`,
    });
    return diffVersions(from, to, content);
  }

  /**
   * Creates a new version with the fields of an older one, except {@link STICKY_FIELDS}. Throws `not_found`,
   * `precondition_failed`.
   */
  async restore(
    { id, number }: VersionTarget,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    return this.changes.change({ id, preconditions }, context, {
      fieldsFor: async (document) => restoredFields(await this.versions.get(document, number)),
    });
  }

  private async document(access: Access, id: string): Promise<Document> {
    const document = await this.documents.find(access, uuidOf('document', id));
    if (!document) throw notFound('document');
    return document;
  }
}
