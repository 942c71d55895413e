import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import { DocumentsService } from '../../documents/documents.service.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import {
  AppError,
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { isMissingReference } from '../../../platform/basics/errors/database-error.js';
import { Database } from '../../../platform/database/database.js';
import type { CreationSort } from '../../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../../platform/http/pagination/read-page.js';
import { DismissalsRepository, type Dismissal } from './dismissals.repository.js';

export type { Dismissal };

/** Limit per document, because every analysis of it reads all dismissals. */
const MAX_DISMISSALS = 10_000;

/** Hides findings in the same sentence of the same document. Document ids are public ids. */
@Injectable()
export class DismissalsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly dismissals: DismissalsRepository,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Dismisses issues of a document. Throws `not_found`, `forbidden` without the right to edit it, `bad_request` for an ID
   * that is not in `known` and that no stored analysis or enhancement of the document contains, and `conflict` if the
   * document would have too many dismissals.
   */
  async dismiss(
    id: string,
    issueIds: readonly string[],
    context: RequestContext,
    known: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const document = await this.documents.find(context.access, id, 'editor');
    await this.requireKnown(document.accountId, document.id, issueIds, known);
    const work = () => this.add(document.id, issueIds, context);
    await this.database.transaction(work, context.caller).catch((error: unknown) => {
      // The document was permanently deleted in the meantime.
      throw isMissingReference(error) ? notFound('document') : error;
    });
  }

  /** Dismisses issues of the document with this UUID in the caller's transaction. Skips existing ones. */
  async add(
    documentId: string,
    issueIds: readonly string[],
    { principal: { accountId, user } }: RequestContext,
  ): Promise<void> {
    const distinct = [...new Set(issueIds)].sort();
    if (distinct.length === 0) return;
    const by = { userId: user.id, at: this.clock.now() };
    const count = await this.dismissals.insert(accountId, documentId, distinct, by);
    if (count > MAX_DISMISSALS) throw tooManyDismissals();
  }

  /** Returns one page, newest first. Throws `not_found`. */
  async list(
    access: Access,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Dismissal>> {
    const { accountId, id: documentId } = await this.documents.find(access, id);
    return this.dismissals.list(accountId, documentId, request);
  }

  /** Removes a dismissal, so that analyses report the issue again. Throws `not_found`, and `forbidden` without the right to edit. */
  async remove(access: Access, id: string, issueId: string): Promise<void> {
    const { accountId, id: documentId } = await this.documents.find(access, id, 'editor');
    const wasRemoved = await this.dismissals.remove(accountId, documentId, issueId);
    if (!wasRemoved) throw notFound('dismissal');
  }

  private async requireKnown(
    accountId: string,
    documentId: string,
    issueIds: readonly string[],
    known: ReadonlySet<string>,
  ): Promise<void> {
    const others = issueIds.filter((id) => !known.has(id));
    const unknown = await this.dismissals.unknownIds(accountId, documentId, others);
    const [first, ...rest] = issueIds.flatMap((id, index) =>
      unknown.has(id) ? unknownIssue(id, index) : [],
    );
    if (first) throw invalidFields([first, ...rest]);
  }
}

/** Error for a document that would have too many dismissals. */
export function tooManyDismissals(): AppError {
  return new AppError(
    'conflict',
    `A document can have ${String(MAX_DISMISSALS)} dismissed issues. Remove dismissals you no longer need, or request fewer checks.`,
    { limit: MAX_DISMISSALS },
  );
}

/** Returns the problem of an id that no issue of the document has. */
export function unknownIssue(id: string, index: number): FieldProblem {
  return {
    field: `issueIds[${String(index)}]`,
    issue: `'${id}' is not an issue id of this document; use ids from its analyses and enhancements`,
  };
}
