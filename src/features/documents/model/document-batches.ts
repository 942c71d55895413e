import type { Database, Statement } from '../../../platform/database/database.js';
import { AUTHOR_COLUMNS, type AuthorRow } from '../../content/versioning/versioned-resource.js';
import type { Document } from './document-fields.js';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, type DocumentRow } from './document-row.js';

/** Limits of one batch. They bound memory use for documents of any size. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

/** A document in a batch, with its content and the author of its current version. */
export type BatchRow = DocumentRow &
  AuthorRow &
  Pick<Document, 'content'> & { deletedAt: Date | null; changes: string[]; key: Date };

/**
 * Returns a statement that reads documents of the account $1 in batches, by a time and ID that an index has. It reads sizes
 * first, and content only of documents that fit. `condition` can use parameters from $4.
 */
export function batchStatement(
  name: string,
  condition: string,
  key: 'created_at' | 'deleted_at',
): Statement {
  return {
    name,
    text: `WITH place AS MATERIALIZED (
        SELECT id, ${key} AS key, octet_length(content) AS bytes
          FROM documents
         WHERE account_id = $1 AND ${condition} AND (${key}, id) > ($2::timestamptz, $3::uuid)
         ORDER BY ${key}, id LIMIT ${String(BATCH_ROWS)}
      ), fitting AS MATERIALIZED (
        SELECT id, key, row_number() OVER following AS place, sum(bytes) OVER following AS bytes
          FROM place WINDOW following AS (ORDER BY key, id)
      )
      SELECT ${DOCUMENT_COLUMNS}, item.content, item.deleted_at AS "deletedAt", fitting.key,
             coalesce(item.version_changes, '{}') AS changes, ${AUTHOR_COLUMNS}
        FROM fitting
       CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = fitting.id LIMIT 1) AS item
       ${DOCUMENT_JOINS}
       CROSS JOIN LATERAL (
         SELECT * FROM users WHERE users.id = coalesce(item.version_author, item.created_by) LIMIT 1) AS author
       WHERE fitting.place = 1 OR fitting.bytes <= ${String(BATCH_BYTES)}
       ORDER BY fitting.key, fitting.id`,
  };
}

/** Yields the batches of a {@link batchStatement}. `more` are its parameters from $4. */
export async function* batchesOf(
  database: Database,
  statement: Statement,
  accountId: string,
  ...more: readonly unknown[]
): AsyncGenerator<BatchRow[]> {
  let after = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const rows = await database.run<BatchRow>(statement, [accountId, ...after, ...more]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = [last.key.toISOString(), last.id];
  }
}
