import type { DataSource } from 'typeorm';
import { decodeId } from '../../src/identifiers/identifiers.js';
import type { ModelDocument } from './search-model.js';

/** Writes documents by SQL in one statement, as a restore or a migration does. Accounts are UUIDs. */
export async function insertRows(
  dataSource: DataSource,
  accountId: string,
  documents: readonly ModelDocument[],
): Promise<void> {
  const rows = documents.map((document) => ({
    ...document,
    id: decodeId('document', document.id),
    createdBy: decodeId('user', document.createdBy),
    templateId: document.templateId && decodeId('template', document.templateId),
    deletedAt: document.deleted ? document.updatedAt : null,
  }));
  await dataSource.query(
    `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, template_id,
                            word_count, version, created_by, created_at, updated_at, deleted_at)
     SELECT id, $1, title, type, content, left(content, 200), status, metadata, '{}', "templateId", "wordCount", 1,
            "createdBy", "createdAt", "updatedAt", "deletedAt"
       FROM json_to_recordset($2::json) AS row (
         id uuid, title text, type text, content text, status text, metadata json, "templateId" uuid,
         "wordCount" integer, "createdBy" uuid, "createdAt" timestamptz, "updatedAt" timestamptz,
         "deletedAt" timestamptz)`,
    [accountId, JSON.stringify(rows)],
  );
}

/** Puts at most so many waiting documents into the search index, as the worker does. */
export async function updateIndex(
  dataSource: DataSource,
  accountId: string,
  most = 1_000,
): Promise<void> {
  await dataSource.query('SELECT search_update($1, $2, true)', [accountId, most]);
}
