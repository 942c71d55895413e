import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import type { Page } from '../../../platform/http/pagination/read-page.js';
import type { Preconditions } from '../../../platform/http/envelope/preconditions.js';
import { DocumentChanges } from '../document-changes.service.js';
import type { PresentedDocument } from '../document-events.js';
import {
  PATCHABLE_FIELDS,
  STAYING_FIELDS,
  type Document,
  type DocumentFields,
} from '../document-fields.js';
import { DocumentsRepository } from '../documents.repository.js';
import { LongTexts } from '../long-texts/long-texts.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { diffVersions } from './version-diff.js';
import { DocumentVersions, type ListedVersion, type WholeVersion } from './document-versions.js';

/** A version in a path, and the document it belongs to. */
interface VersionTarget {
  id: string;
  number: string;
}

const RESTORED_FIELDS = PATCHABLE_FIELDS.filter(
  (name) => !STAYING_FIELDS.some((one) => one === name),
);

/** The versions of a document: each change made one, and none is ever changed. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly versions: DocumentVersions,
    private readonly changes: DocumentChanges,
    private readonly texts: LongTexts,
  ) {}

  /** One page. Throws `not_found`, and `bad_request` for a cursor of another list. */
  async list(accountId: string, id: string, query: PageQueryDto): Promise<Page<ListedVersion>> {
    return this.versions.page(await this.document(accountId, id), query);
  }

  /** One version with its content. Throws `not_found`. */
  async find(accountId: string, { id, number }: VersionTarget): Promise<WholeVersion> {
    return this.versions.get(await this.document(accountId, id), number);
  }

  /** How version `against`, or else the one before, became this one, as JSON text. Throws `not_found`. */
  async diff(
    accountId: string,
    { id, number }: VersionTarget,
    against: number | undefined,
  ): Promise<string> {
    const document = await this.document(accountId, id);
    const to = await this.versions.get(document, number);
    const from = await this.versions.get(document, String(against ?? Math.max(to.number - 1, 1)));
    const content = await this.texts.diff(accountId, from.content, to.content, {
      from: `v${String(from.number)}`,
      to: `v${String(to.number)}`,
    });
    return diffVersions(from, to, content);
  }

  /**
   * Makes what a version was the newest version; status and external id stay, because they change only when they are named. Throws
   * `not_found`, `precondition_failed`.
   */
  async restore(
    { id, number }: VersionTarget,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    return this.changes.change({ id, preconditions }, context, {
      of: async (document) => {
        const version = await this.versions.get(document, number);
        const fields = RESTORED_FIELDS.map((name) => [name, version[name]]);
        return Object.fromEntries(fields) as Partial<DocumentFields>;
      },
    });
  }

  private async document(accountId: string, id: string): Promise<Document> {
    const document = await this.documents.find(accountId, uuidOf('document', id));
    if (!document) throw notFound('document');
    return document;
  }
}
