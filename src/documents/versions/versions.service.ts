import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import { invalidFields, notFound } from '../../errors/app-error.js';
import { uuidOf } from '../../identifiers/identifiers.js';
import { readCursor, writeCursor } from '../../pagination/cursor.js';
import type { Page } from '../../pagination/read-page.js';
import type { Preconditions } from '../../envelope/preconditions.js';
import { DocumentChanges } from '../document-changes.service.js';
import type { PresentedDocument } from '../document-events.js';
import { PATCHABLE_FIELDS, type DocumentFields } from '../document-fields.js';
import { DocumentsRepository } from '../documents.repository.js';
import { LongTexts } from '../long-texts/long-texts.js';
import type { ListVersionsDto } from './dto/list-versions.dto.js';
import { diffVersions } from './version-diff.js';
import { VersionStore, type VersionsOf } from './version-store.js';
import type { Version, WholeVersion } from './version.js';

/** A version in a path, and the document it belongs to. */
export interface VersionTarget {
  id: string;
  number: string;
}

const SORT = 'number';

const RESTORED_FIELDS = PATCHABLE_FIELDS.filter((name) => name !== 'status');

/** The versions of a document: each change made one, and none is ever changed. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly versions: VersionStore,
    private readonly changes: DocumentChanges,
    private readonly texts: LongTexts,
  ) {}

  /** One page. Versions are numbered without a gap, so a page is a range of numbers. Throws `not_found`. */
  async list(accountId: string, id: string, query: ListVersionsDto): Promise<Page<Version>> {
    const documentId = uuidOf('document', id);
    const document = await this.documents.find(accountId, documentId);
    if (!document) throw notFound('document');
    const total = document.version;
    const { limit, order, page } = query;
    const skipped = query.cursor === undefined ? (page - 1) * limit : skippedBy(query, total);
    const [first, last] =
      order === 'asc'
        ? [skipped + 1, Math.min(skipped + limit, total)]
        : [Math.max(total - skipped - limit + 1, 1), total - skipped];
    const found = await this.versions.list({ accountId, documentId }, first, last);
    const rows = order === 'asc' ? found : found.reverse();
    const hasMore = skipped + limit < total;
    const key = rows.at(-1)?.number;
    const nextCursor =
      hasMore && key !== undefined ? writeCursor({ sort: SORT, order, key, id: documentId }) : null;
    const counted = { limit, total, hasMore, nextCursor };
    return {
      rows,
      pagination:
        query.cursor === undefined
          ? { page, pages: Math.ceil(total / limit), ...counted }
          : counted,
    };
  }

  /** One version with its content. Throws `not_found`. */
  async find(accountId: string, { id, number }: VersionTarget): Promise<WholeVersion> {
    const documentId = uuidOf('document', id);
    if (!(await this.documents.find(accountId, documentId))) throw notFound('document');
    return this.version({ accountId, documentId }, number);
  }

  /** How version `against`, or else the one before, became this one, as JSON text. Throws `not_found`. */
  async diff(
    accountId: string,
    { id, number }: VersionTarget,
    against: number | undefined,
  ): Promise<string> {
    const to = await this.find(accountId, { id, number });
    const base = against ?? Math.max(to.number - 1, 1);
    const from = await this.version(
      { accountId, documentId: uuidOf('document', id) },
      String(base),
    );
    const content = await this.texts.diff(accountId, from.content, to.content, {
      from: `v${String(from.number)}`,
      to: `v${String(to.number)}`,
    });
    return diffVersions(from, to, content);
  }

  /**
   * Makes what a version was the newest version; the status stays, because it changes only when it is named. Throws
   * `not_found`, `precondition_failed`.
   */
  async restore(
    { id, number }: VersionTarget,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PresentedDocument> {
    const { accountId } = context.principal;
    return this.changes.change({ id, preconditions }, context, {
      of: async ({ id: documentId }) => {
        const version = await this.version({ accountId, documentId }, number);
        const fields = RESTORED_FIELDS.map((name) => [name, version[name]]);
        return Object.fromEntries(fields) as Partial<DocumentFields>;
      },
    });
  }

  private async version(of: VersionsOf, number: string): Promise<WholeVersion> {
    const version = /^[1-9]\d{0,8}$/.test(number)
      ? await this.versions.find(of, Number(number))
      : undefined;
    if (!version) throw notFound('version');
    return version;
  }
}

/** How many versions stand before the page that a cursor begins. */
function skippedBy({ cursor = '', order, page }: ListVersionsDto, total: number): number {
  if (page !== 1) {
    throw invalidFields([{ field: 'page', issue: 'excludes cursor; send one of the two' }]);
  }
  const key = Number(readCursor(cursor, { sort: SORT, order }, 'integer').key);
  return order === 'asc' ? key : total - key + 1;
}
