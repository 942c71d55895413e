import type { Database, Statement } from '../../database/database.js';
import {
  KEPT_IF_CHANGED,
  type CopiedField,
  type Document,
  type KeptIfChangedField,
} from '../document-fields.js';
import {
  AUTHOR_COLUMNS,
  authorOf,
  selected,
  VERSION_COLUMNS,
  type AuthorRow,
} from '../document-row.js';
import { applyDeltas } from '../../versions/delta-chain.js';
import type { ArchivedVersion } from './archived-document.js';

const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

/** Versions of `$1` below the numbers of `$2`, document by document, the newest first, as many as fit. */
const READ: Statement = {
  name: 'document-versions.archive',
  text: `WITH wanted AS (
      SELECT * FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS wanted (id, below, place)
    ), candidates AS MATERIALIZED (
      SELECT wanted.place, found.*
        FROM wanted
       CROSS JOIN LATERAL (
         SELECT document_id, number, coalesce(octet_length(content), pg_column_size(content_delta)) AS bytes
           FROM document_versions
          WHERE document_id = wanted.id AND account_id = $3 AND number < wanted.below
          ORDER BY number DESC LIMIT ${String(BATCH_ROWS)}) AS found
       ORDER BY wanted.place, found.number DESC LIMIT ${String(BATCH_ROWS)}
    ), fitting AS MATERIALIZED (
      SELECT *, row_number() OVER following AS row, sum(bytes) OVER following AS total
        FROM candidates WINDOW following AS (ORDER BY place, number DESC)
    )
    SELECT item.document_id AS "documentId", item.number, item.content, item.content_delta, item.changes,
           item.created_at AS "createdAt", ${selected('item', VERSION_COLUMNS)}, ${AUTHOR_COLUMNS}
      FROM fitting
     CROSS JOIN LATERAL (
       SELECT * FROM document_versions AS version
        WHERE version.document_id = fitting.document_id AND version.number = fitting.number LIMIT 1) AS item
     CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.author LIMIT 1) AS author
     WHERE fitting.row = 1 OR fitting.total <= ${String(BATCH_BYTES)}
     ORDER BY fitting.place, fitting.number DESC`,
};

/** What a version shares with the next one is null. */
type Row = Pick<ArchivedVersion, 'documentId' | 'number' | 'changes' | 'createdAt'> &
  Pick<Document, CopiedField> &
  Partial<Record<KeptIfChangedField, string | null>> &
  AuthorRow & { content: string | null; content_delta: string | null };

type Kept = Pick<Document, 'content' | KeptIfChangedField>;

/** A document whose versions are wanted: what it is now is what the newest of them is made from. */
export type VersionOwner = Pick<Document, 'id' | 'version'> & Kept;

/** The versions that documents had before, document by document, the newest first, each made whole from the one after it. */
export async function* readVersions(
  database: Pick<Database, 'run'>,
  accountId: string,
  owners: readonly VersionOwner[],
): AsyncGenerator<ArchivedVersion, void> {
  let [place, below] = [0, owners[0]?.version ?? 1];
  let next: Kept | undefined = owners[0];
  while (next) {
    const left = owners.slice(place);
    const numbers = left.map(({ version }, index) => (index === 0 ? below : version));
    const rows = await database.run<Row>(READ, [left.map(({ id }) => id), numbers, accountId]);
    if (rows.length === 0) return;
    for (const row of rows) {
      while (owners[place] && owners[place]?.id !== row.documentId) {
        place += 1;
        next = owners[place];
      }
      if (!next) return;
      const version: ArchivedVersion = wholeVersion(row, next);
      below = row.number;
      next = version;
      yield version;
    }
    if (below === 1) {
      place += 1;
      next = owners[place];
      below = owners[place]?.version ?? 1;
    }
  }
}

function wholeVersion(row: Row, next: Kept): ArchivedVersion {
  const version: ArchivedVersion = {
    ...row,
    ...fromNext(row, next),
    content: row.content ?? applyDeltas(next.content, [row.content_delta ?? '[]']),
    author: authorOf(row),
  };
  return version;
}

function fromNext(row: Row, next: Kept): Pick<Document, KeptIfChangedField> {
  const values = KEPT_IF_CHANGED.map((name) => [name, row[name] ?? next[name]]);
  return Object.fromEntries(values) as Pick<Document, KeptIfChangedField>;
}
