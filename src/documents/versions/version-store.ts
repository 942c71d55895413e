import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement } from '../../database/database.js';
import type { DocumentField } from '../document-change.js';
import type { DocumentStatus } from '../document-status.js';
import type { DocumentType } from '../document-type.js';
import { applyDeltas } from '../../versions/delta-chain.js';
import type { Version, WholeVersion } from './version.js';

/** Versions `$3` to `$4` of a document, the current one among them. */
const LIST: Statement = {
  name: 'document-versions.list',
  text: `SELECT version.*, author.id AS author_id, author.name AS author_name, author.email AS author_email
      FROM (
        SELECT number, title, type, status, word_count, author, changes, created_at
          FROM document_versions
         WHERE document_id = $1 AND account_id = $2 AND number BETWEEN $3 AND $4
        UNION ALL
        SELECT version, title, type, status, word_count, coalesce(version_author, created_by),
               coalesce(version_changes, '{}'), updated_at
          FROM documents
         WHERE id = $1 AND account_id = $2 AND version BETWEEN $3 AND $4
      ) AS version
      JOIN users AS author ON author.id = version.author
     ORDER BY version.number`,
};

/** What a version shares with the next one is kept there: the nearest later value, or else the document's. */
const nearest = (column: string) =>
  `coalesce(
      (SELECT ${column} FROM document_versions
        WHERE document_id = $1 AND account_id = $2 AND number >= $3 AND ${column} IS NOT NULL
        ORDER BY number LIMIT 1),
      (SELECT ${column} FROM documents WHERE id = $1 AND account_id = $2)) AS ${column}`;

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
      SELECT number, title, type, status, word_count, author, changes, created_at
        FROM document_versions WHERE document_id = $1 AND account_id = $2 AND number = $3
      UNION ALL
      SELECT version, title, type, status, word_count, coalesce(version_author, created_by),
             coalesce(version_changes, '{}'), updated_at
        FROM documents WHERE id = $1 AND account_id = $2 AND version = $3
    )
    SELECT wanted.*, whole.content, deltas.deltas, ${nearest('metadata')}, ${nearest('ai_settings')},
           author.id AS author_id, author.name AS author_name, author.email AS author_email
      FROM wanted JOIN users AS author ON author.id = wanted.author, whole, deltas`,
};

interface VersionRow {
  number: number;
  title: string;
  type: DocumentType;
  status: DocumentStatus;
  word_count: number;
  changes: DocumentField[];
  created_at: Date;
  author_id: string;
  author_name: string;
  author_email: string;
}

interface WholeRow extends VersionRow {
  metadata: string;
  ai_settings: string;
  content: string;
  deltas: string[] | null;
}

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
    return rows.map(fromRow);
  }

  async find(
    { accountId, documentId }: VersionsOf,
    number: number,
    executor: Executor = this.database,
  ): Promise<WholeVersion | undefined> {
    const [row] = await executor.run<WholeRow>(FIND, [documentId, accountId, number]);
    return (
      row && {
        ...fromRow(row),
        content: applyDeltas(row.content, row.deltas ?? []),
        metadata: row.metadata,
        aiSettings: row.ai_settings,
      }
    );
  }
}

function fromRow(row: VersionRow): Version {
  return {
    number: row.number,
    title: row.title,
    type: row.type,
    status: row.status,
    wordCount: row.word_count,
    changes: row.changes,
    author: { id: row.author_id, name: row.author_name, email: row.author_email },
    createdAt: row.created_at,
  };
}
