import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import {
  COPIED_FIELDS,
  fieldOf,
  KEPT_IF_CHANGED,
  type KeptIfChangedField,
} from '../document-fields.js';
import { AUTHOR_COLUMNS, authorOf, selected, type AuthorRow } from '../document-row.js';
import { applyDeltas } from '../../versions/delta-chain.js';
import type { Version, WholeVersion } from './version.js';

const COPIES = COPIED_FIELDS.map((name) => fieldOf(name).column).join(', ');
/** What `document_versions` has of a version, and what `documents` has of the current one. */
const REPLACED = `number, author, changes, origin, created_at, ${COPIES}`;
const CURRENT = `version, coalesce(version_author, created_by), coalesce(version_changes, '{}'), version_origin, updated_at, ${COPIES}`;

const columnsOf = (table: string) =>
  `${table}.number, ${table}.changes, ${table}.origin, ${table}.created_at AS "createdAt", ${selected(table, COPIED_FIELDS)},
   ${AUTHOR_COLUMNS}`;

/** Versions `$3` to `$4` of a document, the current one among them. */
const LIST: Statement = {
  name: 'document-versions.list',
  text: `SELECT ${columnsOf('version')}
      FROM (
        SELECT ${REPLACED} FROM document_versions
         WHERE document_id = $1 AND account_id = $2 AND number BETWEEN $3 AND $4
        UNION ALL
        SELECT ${CURRENT} FROM documents
         WHERE id = $1 AND account_id = $2 AND version BETWEEN $3 AND $4
      ) AS version
      JOIN users AS author ON author.id = version.author
     ORDER BY version.number`,
};

/** What a version shares with the next one is kept there: the nearest later value, or else the document's. */
const nearest = (name: KeptIfChangedField) => {
  const { column } = fieldOf(name);
  return `coalesce(
      (SELECT ${column} FROM document_versions
        WHERE document_id = $1 AND account_id = $2 AND number >= $3 AND ${column} IS NOT NULL
        ORDER BY number LIMIT 1),
      (SELECT ${column} FROM documents WHERE id = $1 AND account_id = $2)) AS "${name}"`;
};

/**
 * A version and what its content is made from: the nearest later content that was kept whole, and the deltas from there
 * back to it, newest first. One statement sees one state of the document.
 */
const FIND: Statement = {
  name: 'document-versions.find',
  text: `WITH whole AS (
      SELECT number, content FROM (
        (SELECT number, content FROM document_versions
          WHERE document_id = $1 AND account_id = $2 AND number >= $3 AND content IS NOT NULL
          ORDER BY number LIMIT 1)
        UNION ALL
        SELECT version, content FROM documents WHERE id = $1 AND account_id = $2 AND version >= $3
      ) AS candidates ORDER BY number LIMIT 1
    ), deltas AS (
      SELECT array_agg(content_delta::text ORDER BY number DESC) AS deltas
        FROM document_versions
       WHERE document_id = $1 AND account_id = $2 AND number >= $3 AND number < (SELECT number FROM whole)
    ), wanted AS (
      SELECT ${REPLACED} FROM document_versions
       WHERE document_id = $1 AND account_id = $2 AND number = $3
      UNION ALL
      SELECT ${CURRENT} FROM documents WHERE id = $1 AND account_id = $2 AND version = $3
    )
    SELECT ${columnsOf('wanted')}, whole.content, deltas.deltas, ${KEPT_IF_CHANGED.map(nearest).join(', ')}
      FROM wanted JOIN users AS author ON author.id = wanted.author, whole, deltas`,
};

type VersionRow = Omit<Version, 'author'> & AuthorRow;
type WholeRow = Omit<WholeVersion, 'author'> & AuthorRow & { deltas: string[] | null };

/** Which document's versions. Ids are UUIDs. */
export interface VersionsOf {
  accountId: string;
  documentId: string;
}

/** Versions in PostgreSQL; the content of an old one is made from a later one. */
@Injectable()
export class VersionStore {
  constructor(private readonly database: Database) {}

  /** Versions `first` to `last`, both included, the oldest first. */
  async list(
    { accountId, documentId }: VersionsOf,
    first: number,
    last: number,
  ): Promise<Version[]> {
    const rows = await this.database.run<VersionRow>(LIST, [documentId, accountId, first, last]);
    return rows.map((row) => ({ ...row, author: authorOf(row) }));
  }

  async find(
    { accountId, documentId }: VersionsOf,
    number: number,
  ): Promise<WholeVersion | undefined> {
    const [row] = await this.database.run<WholeRow>(FIND, [documentId, accountId, number]);
    if (!row) return undefined;
    const { deltas, ...version } = row;
    return { ...version, content: applyDeltas(row.content, deltas ?? []), author: authorOf(row) };
  }
}
