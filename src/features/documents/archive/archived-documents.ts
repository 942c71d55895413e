import type { Database, Statement } from '../../../platform/database/database.js';
import {
  AUTHOR_COLUMNS,
  authorOf,
  type AuthorRow,
} from '../../content/versions/versioned-resource.js';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, fromRow, type DocumentRow } from '../document-row.js';
import { DocumentVersions } from '../versions/document-versions.js';
import type { ArchivedDocument, ArchivedVersion } from './archived-document.js';

/** What one batch may hold: memory stays flat, whatever the documents are. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

/** Walks an index of its order and looks at sizes first; contents are read only of what fits into a batch. */
function batchStatement(name: string, condition: string, key: string): Statement {
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

const LIVE = batchStatement('documents.archive-live', 'deleted_at IS NULL', 'created_at');
const TRASH = batchStatement('documents.archive-trash', 'deleted_at IS NOT NULL', 'deleted_at');

const COUNT: Statement = {
  name: 'documents.archive-count',
  text: `SELECT count(*)::double precision AS documents, coalesce(sum(version - 1), 0)::double precision AS versions
           FROM documents WHERE account_id = $1`,
};

type Row = DocumentRow &
  AuthorRow &
  Pick<ArchivedDocument, 'content' | 'deletedAt' | 'changes'> & { key: Date };

/** How many documents an account has, and how many versions of them that were replaced. */
export async function countArchived(
  database: Database,
  accountId: string,
): Promise<{ documents: number; versions: number }> {
  const [row] = await database.run<{ documents: number; versions: number }>(COUNT, [accountId]);
  return row ?? { documents: 0, versions: 0 };
}

/**
 * Every document of an account, those in the trash last, each followed by the versions it had before, the newest first.
 * One state of all of them if `database` is a transaction that sees one.
 */
export async function* readDocuments(
  database: Database,
  accountId: string,
): AsyncGenerator<ArchivedDocument | ArchivedVersion> {
  for (const statement of [LIVE, TRASH]) {
    let after = ['-infinity', '00000000-0000-0000-0000-000000000000'];
    for (;;) {
      const rows = await database.run<Row>(statement, [accountId, ...after]);
      const last = rows.at(-1);
      if (!last) break;
      yield* withVersions(database, accountId, rows.map(archivedFrom));
      after = [last.key.toISOString(), last.id];
    }
  }
}

async function* withVersions(
  database: Database,
  accountId: string,
  documents: readonly ArchivedDocument[],
): AsyncGenerator<ArchivedDocument | ArchivedVersion> {
  const versions = new DocumentVersions(database).superseded(accountId, documents);
  for (const document of documents) {
    yield document;
    for (let number = document.version - 1; number > 0; number -= 1) {
      const next = await versions.next();
      if (next.value) yield next.value;
    }
  }
}

function archivedFrom(row: Row): ArchivedDocument {
  const { content, deletedAt, changes } = row;
  return { ...fromRow(row), content, deletedAt, changes, author: authorOf(row) };
}
