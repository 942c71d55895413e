import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit-entry.js';
import { Coalescer, type Outcome } from '../database/coalescer.js';
import { Database, type Executor, type Statement } from '../database/database.js';
import { jsonRows } from '../database/json-rows.js';
import { insertEvents, type EventRow } from '../events/outbox.js';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, fromRow, type DocumentRow } from './document-row.js';
import type { StoredDocument } from './document-change.js';
import type { Document } from './document.js';

const INSERT: Statement = {
  name: 'documents.insert',
  text: `WITH emitted AS (${insertEvents('$2')}), audited AS (${insertAuditEntries('$3')})
    INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, template_id,
                           word_count, version, created_by, created_at, updated_at)
    SELECT id, account_id, title, type, content, excerpt, status, metadata::json, ai_settings::json, template_id,
           word_count, version, created_by, created_at, updated_at
      FROM json_to_recordset($1::json) AS document (
        id uuid, account_id uuid, title text, type text, content text, excerpt text, status text, metadata text,
        ai_settings text, template_id uuid, word_count integer, version integer, created_by uuid,
        created_at timestamptz, updated_at timestamptz)`,
};

const STORED_COLUMNS = `${DOCUMENT_COLUMNS}, item.account_id, item.content, item.delta_bytes, item.delta_count`;

const FIND: Statement = {
  name: 'documents.find',
  text: `SELECT ${STORED_COLUMNS}
           FROM json_to_recordset($1::json) AS wanted (id uuid, account_id uuid)
           JOIN documents AS item ON item.id = wanted.id AND item.account_id = wanted.account_id
           ${DOCUMENT_JOINS}
          WHERE item.deleted_at IS NULL`,
};

/** For a change within a transaction: nobody else changes it meanwhile. */
const LOCK: Statement = {
  name: 'documents.lock',
  text: `SELECT ${STORED_COLUMNS} FROM documents AS item ${DOCUMENT_JOINS}
          WHERE item.id = $1 AND item.account_id = $2 AND item.deleted_at IS NULL FOR UPDATE OF item`,
};

const FIND_ANY: Statement = {
  name: 'documents.find-any',
  text: `SELECT ${STORED_COLUMNS}, item.deleted_at FROM documents AS item ${DOCUMENT_JOINS}
          WHERE item.id = $1 AND item.account_id = $2`,
};

const LOCK_ANY: Statement = {
  name: 'documents.lock-any',
  text: `${FIND_ANY.text} FOR UPDATE OF item`,
};

type StoredRow = DocumentRow & {
  account_id: string;
  content: string;
  delta_bytes: number;
  delta_count: number;
};

/** A document that may be in the trash. */
export interface FoundDocument {
  document: StoredDocument;
  /** When it was deleted; null for a document that is not. */
  deletedAt: Date | null;
}

interface Wanted {
  id: string;
  account_id: string;
}

/** A new document with what commits with it. */
export interface Creation {
  document: Document;
  event: EventRow;
  entry: AuditRow;
}

/** Documents in PostgreSQL. Creations and reads that arrive together share one statement, each with its own outcome. */
@Injectable()
export class DocumentStore {
  private readonly inserts: Coalescer<Creation, void>;
  private readonly reads: Coalescer<Wanted, StoredDocument | undefined>;

  constructor(private readonly database: Database) {
    this.inserts = new Coalescer((batch) => insertAll(database, batch), {
      maxBatch: 32,
      maxInFlight: 4,
      isolateFailures: true,
      // The content stands in the document and once more in its event.
      weigh: ({ document, event }) => document.content.length + event.full_body.length,
    });
    this.reads = new Coalescer((batch) => this.findAll(batch), { maxBatch: 32, maxInFlight: 4 });
  }

  /** Writes the document, its event and its audit entry, or nothing; in the transaction of `executor`, if given. */
  async insert(creation: Creation, executor?: Executor): Promise<void> {
    if (executor) await insertAll(executor, [creation]);
    else await this.inserts.submit(creation);
  }

  /** The document, unless it is deleted or another account's. */
  find(accountId: string, id: string): Promise<StoredDocument | undefined> {
    return this.reads.submit({ account_id: accountId, id });
  }

  /** The document for a change; in a transaction nobody else changes it until that ends. */
  async findForChange(
    accountId: string,
    id: string,
    executor?: Executor,
  ): Promise<StoredDocument | undefined> {
    if (!executor) return this.find(accountId, id);
    const [row] = await executor.run<StoredRow>(LOCK, [id, accountId]);
    return row && fromStoredRow(row);
  }

  /** The document, in the trash too, unless it is another account's; locked in a transaction. */
  async findAny(
    accountId: string,
    id: string,
    executor?: Executor,
  ): Promise<FoundDocument | undefined> {
    const rows = await (executor ?? this.database).run<StoredRow & { deleted_at: Date | null }>(
      executor ? LOCK_ANY : FIND_ANY,
      [id, accountId],
    );
    const [row] = rows;
    return row && { document: fromStoredRow(row), deletedAt: row.deleted_at };
  }

  private async findAll(batch: Wanted[]): Promise<Outcome<StoredDocument | undefined>[]> {
    const wanted = new Map(batch.map((one) => [one.account_id + one.id, one]));
    const rows = await this.database.run<StoredRow>(FIND, [jsonRows([...wanted.values()])]);
    const found = new Map(rows.map((row) => [row.account_id + row.id, fromStoredRow(row)]));
    return batch.map(({ account_id, id }) => ({ result: found.get(account_id + id) }));
  }
}

function fromStoredRow(row: StoredRow): StoredDocument {
  return {
    ...fromRow(row),
    accountId: row.account_id,
    content: row.content,
    deltaBytes: row.delta_bytes,
    deltaCount: row.delta_count,
  };
}

async function insertAll(executor: Executor, batch: Creation[]): Promise<Outcome<void>[]> {
  await executor.run(INSERT, [
    jsonRows(batch.map(({ document }) => toRow(document))),
    jsonRows(batch.map(({ event }) => event)),
    jsonRows(batch.map(({ entry }) => entry)),
  ]);
  return batch.map(() => ({ result: undefined }));
}

function toRow(document: Document): object {
  return {
    id: document.id,
    account_id: document.accountId,
    title: document.title,
    type: document.type,
    content: document.content,
    excerpt: document.excerpt,
    status: document.status,
    metadata: document.metadata,
    ai_settings: document.aiSettings,
    template_id: document.templateId,
    word_count: document.wordCount,
    version: document.version,
    created_by: document.createdBy.id,
    created_at: document.createdAt,
    updated_at: document.updatedAt,
  };
}
