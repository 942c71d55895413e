import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { DocumentsService } from '../../documents/documents.service.js';
import {
  AppError,
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../../platform/basics/errors/app-error.js';
import { isMissingReference } from '../../../platform/basics/errors/database-error.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/creation-order.dto.js';
import {
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';

/** Of one document; each analysis of it reads them all. */
const MAX_DISMISSALS = 10_000;

const OF_DOCUMENT = 'item.account_id = $1 AND item.document_id = $2';
const LISTING = {
  name: 'dismissals',
  table: 'dismissals',
  where: OF_DOCUMENT,
  total: `SELECT count(*) AS n FROM dismissals AS item WHERE ${OF_DOCUMENT}`,
  columns: `item.fingerprint AS "issueId", item.created_at AS "createdAt", author.id AS "authorId",
            author.name AS "authorName", author.email AS "authorEmail"`,
  joins:
    'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS author',
  sorts: BY_CREATION,
};

const INSERT: Statement = {
  name: 'dismissals.insert',
  text: `INSERT INTO dismissals (id, account_id, document_id, fingerprint, created_by, created_at)
    SELECT id, $1, $2, fingerprint, $5, $6 FROM unnest($3::uuid[], $4::text[]) AS given (id, fingerprint)
    ON CONFLICT (document_id, fingerprint) DO NOTHING`,
};

const COUNT: Statement = {
  name: 'dismissals.count',
  text: `SELECT count(*)::integer AS count FROM dismissals AS item WHERE ${OF_DOCUMENT}`,
};

/** The issues of a document's newest analysis. Nearly all dismissals are of those. */
const FOUND_LAST: Statement = {
  name: 'dismissals.found-last',
  text: `SELECT DISTINCT issue ->> 'id' AS id
    FROM (SELECT result FROM analyses WHERE account_id = $1 AND document_id = $2
           ORDER BY created_at DESC, id DESC LIMIT 1) AS newest,
         json_array_elements(newest.result -> 'issues') AS issue
   WHERE issue ->> 'id' = ANY ($3::text[])`,
};

/** The issues of all stored analyses of a document, and the suggestions of all its enhancements. */
const FOUND_EVER: Statement = {
  name: 'dismissals.found-ever',
  text: `SELECT issue ->> 'id' AS id
    FROM analyses AS item, json_array_elements(item.result -> 'issues') AS issue
   WHERE ${OF_DOCUMENT} AND issue ->> 'id' = ANY ($3::text[])
   UNION
  SELECT suggestion ->> 'id' FROM enhancements AS item, json_array_elements(item.suggestions) AS suggestion
   WHERE ${OF_DOCUMENT} AND suggestion ->> 'id' = ANY ($3::text[])`,
};

const REMOVE: Statement = {
  name: 'dismissals.remove',
  text: `DELETE FROM dismissals AS item WHERE ${OF_DOCUMENT} AND fingerprint = $3 RETURNING id`,
};

/** Ids of users are UUIDs. */
export interface Dismissal {
  issueId: string;
  createdAt: Date;
  authorId: string;
  authorName: string;
  authorEmail: string;
}

/** Findings that are not to come back, in the same sentence of the same document. */
@Injectable()
export class DismissalsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Dismisses issues of a document by its public id. Throws `not_found`, `bad_request` for an id that no stored analysis
   * or enhancement of the document has, and `conflict` if the document would have too many dismissals.
   */
  async dismiss(id: string, issueIds: readonly string[], context: RequestContext): Promise<void> {
    const { accountId } = context.principal;
    const document = await this.documents.find(accountId, id);
    await this.requireKnown(accountId, document.id, issueIds);
    const work = () => this.add(document.id, issueIds, context);
    await this.database.transaction(work, context.caller).catch((error: unknown) => {
      // The document was removed for good meanwhile.
      throw isMissingReference(error) ? notFound('document') : error;
    });
  }

  /** The same by the document's UUID, with the caller's transaction. Those that are dismissed already stay as they are. */
  async add(
    documentId: string,
    issueIds: readonly string[],
    { principal: { accountId, user } }: RequestContext,
  ): Promise<void> {
    const distinct = [...new Set(issueIds)].sort();
    if (distinct.length === 0) return;
    const ids = distinct.map(() => newUuid());
    const values = [accountId, documentId, ids, distinct, user.id, this.clock.now()];
    await this.database.run(INSERT, values);
    const [row] = await this.database.run<{ count: number }>(COUNT, [accountId, documentId]);
    if ((row?.count ?? 0) > MAX_DISMISSALS) throw tooManyDismissals();
  }

  /** One page, the newest first. Throws `not_found`. */
  async list(
    accountId: string,
    id: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Dismissal>> {
    const { id: documentId } = await this.documents.find(accountId, id);
    return readPage(this.database, { ...LISTING, values: [documentId] }, accountId, request);
  }

  private async requireKnown(
    accountId: string,
    documentId: string,
    issueIds: readonly string[],
  ): Promise<void> {
    const unknown = new Set(issueIds);
    for (const statement of [FOUND_LAST, FOUND_EVER]) {
      if (unknown.size === 0) return;
      const values = [accountId, documentId, [...unknown]];
      const found = await this.database.read<{ id: string }>(statement, values);
      for (const { id } of found) unknown.delete(id);
    }
    const [first, ...others] = issueIds.flatMap((id, index) =>
      unknown.has(id) ? unknownIssue(id, index) : [],
    );
    if (first) throw invalidFields([first, ...others]);
  }

  /** Lets an issue be told again. Throws `not_found`. */
  async remove(accountId: string, id: string, issueId: string): Promise<void> {
    const document = await this.documents.find(accountId, id);
    const removed = await this.database.run(REMOVE, [accountId, document.id, issueId]);
    if (removed.length === 0) throw notFound('dismissal');
  }
}

/** The answer to one dismissal too many. */
export function tooManyDismissals(): AppError {
  return new AppError(
    'conflict',
    `A document can have ${String(MAX_DISMISSALS)} dismissed issues. Take some back that are not needed any more, or ask for fewer checks.`,
    { limit: MAX_DISMISSALS },
  );
}

/** What is wrong with an id that no issue of the document has. */
export function unknownIssue(id: string, index: number): FieldProblem {
  return {
    field: `issueIds[${String(index)}]`,
    issue: `'${id}' is not the id of an issue of this document; take ids from its analyses and enhancements`,
  };
}
