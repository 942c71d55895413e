import type { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database/database.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { Log } from '../../src/platform/operation/log.js';
import { SEARCHED_DOCUMENT_FIELDS } from '../../src/features/documents/model/document-fields.js';
import { SearchIndexRepository } from '../../src/features/search/indexing/search-index.repository.js';
import { TextIndexer } from '../../src/features/search/indexing/text-indexer.js';
import type { TestApp } from '../support/app.js';
import type { ModelDocument } from './search-model.js';

/** Writes documents by SQL in one statement, like a restore or a migration. Accounts are UUIDs. */
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

/** Indexes all waiting documents, as the worker would do later. */
export async function updateIndex({ app }: TestApp): Promise<void> {
  const database = app.get(Database);
  const indexer = new TextIndexer(
    database,
    app.get(Log),
    new SearchIndexRepository(database, SEARCHED_DOCUMENT_FIELDS),
    SEARCHED_DOCUMENT_FIELDS,
  );
  while (await indexer.runBatch());
  await indexer.onApplicationShutdown();
}
