import { Injectable } from '@nestjs/common';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';

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

/** Searches the newest analysis of the document, which nearly all dismissals refer to. */
const FOUND_LAST: Statement = {
  name: 'dismissals.found-last',
  text: `SELECT DISTINCT issue ->> 'id' AS id
    FROM (SELECT result FROM analyses WHERE account_id = $1 AND document_id = $2
           ORDER BY created_at DESC, id DESC LIMIT 1) AS newest,
         json_array_elements(newest.result -> 'issues') AS issue
   WHERE issue ->> 'id' = ANY ($3::text[])`,
};

/** Searches all stored analyses and enhancements of the document. */
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

/** A dismissed issue and the user who dismissed it. User ids are UUIDs. */
export interface Dismissal {
  issueId: string;
  createdAt: Date;
  authorId: string;
  authorName: string;
  authorEmail: string;
}

/** Dismissals in PostgreSQL. Ids of documents are UUIDs. */
@Injectable()
export class DismissalsRepository {
  constructor(private readonly database: Database) {}

  list(
    accountId: string,
    documentId: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Dismissal>> {
    return readPage(this.database, { ...LISTING, values: [documentId] }, accountId, request);
  }

  /** Adds dismissals and skips existing ones. Returns the number of dismissals of the document. */
  async insert(
    accountId: string,
    documentId: string,
    issueIds: readonly string[],
    { userId, at }: { userId: string; at: Date },
  ): Promise<number> {
    const ids = issueIds.map(() => newUuid());
    await this.database.run(INSERT, [accountId, documentId, ids, issueIds, userId, at]);
    const [row] = await this.database.run<{ count: number }>(COUNT, [accountId, documentId]);
    return row?.count ?? 0;
  }

  /** Returns the ids that no stored analysis or enhancement of the document contains. */
  async unknownIds(
    accountId: string,
    documentId: string,
    issueIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const unknown = new Set(issueIds);
    for (const statement of [FOUND_LAST, FOUND_EVER]) {
      if (unknown.size === 0) break;
      const values = [accountId, documentId, [...unknown]];
      const found = await this.database.read<{ id: string }>(statement, values);
      for (const { id } of found) unknown.delete(id);
    }
    return unknown;
  }

  /** Returns false if the issue was not dismissed. */
  async remove(accountId: string, documentId: string, issueId: string): Promise<boolean> {
    const removed = await this.database.run(REMOVE, [accountId, documentId, issueId]);
    return removed.length > 0;
  }
}
