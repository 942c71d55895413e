import { Injectable } from '@nestjs/common';
import type { Access } from '../auth/access/access.js';
import { insertAuditEntries, type AuditRow } from '../audit/audit.repository.js';
import { Coalescer, type Outcome } from '../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { runWithEvents } from '../events/events.repository.js';
import { insertEvents, type EventRow } from '../events/outbox.js';
import type { StoredDocument } from './changes/document-change.js';
import { inCollection } from '../collections/collection-documents.js';
import { ROOT } from '../auth/access/rights.js';
import { noSuchCollection } from '../collections/collection.js';
import { claimExternalId } from './changes/external-ids.repository.js';
import type { PresentedDocument } from './model/document-events.js';
import {
  DOCUMENT_JOINS,
  fromStoredRow,
  INSERTED,
  INSERTED_VALUES,
  RECORD,
  recordsOf,
  STORED_COLUMNS,
  toRow,
  type StoredRow,
} from './model/document-row.js';

/** For a JSON array, the planner estimates 100 rows and would scan the table. The SQL array makes it use the primary key. */
const FIND: Statement = {
  name: 'documents.find',
  text: `WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS wanted (id uuid, account_id uuid)
    )
    SELECT ${STORED_COLUMNS}
      FROM wanted JOIN documents AS item ON item.id = wanted.id AND item.account_id = wanted.account_id ${DOCUMENT_JOINS}
     WHERE item.id = ANY (ARRAY(SELECT id FROM wanted)) AND item.deleted_at IS NULL`,
};

const INSERT: Statement = {
  name: 'documents.insert',
  text: `WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS document (${RECORD})
    ), emitted AS (${insertEvents('$2', '', 'SELECT id, content FROM given')}
    ), audited AS (${insertAuditEntries('$3')})
    INSERT INTO documents (${INSERTED}) SELECT ${INSERTED_VALUES} FROM given`,
};

/** A new document with the event and audit entry that commit with it. */
export interface Creation extends PresentedDocument {
  /** The access of the caller, for errors. */
  access: Access;
  event: EventRow;
  entry: AuditRow;
}

interface DocumentKey {
  id: string;
  account_id: string;
}

/**
 * Reads and creates documents. Outside transactions, concurrent reads share one statement, and so do concurrent creates.
 * Each caller gets its own outcome (docs/adr/0009-persistence-and-transactions.md).
 */
@Injectable()
export class DocumentsRepository {
  private readonly reads: Coalescer<DocumentKey, StoredDocument | undefined>;
  private readonly inserts: Coalescer<Creation, void>;

  constructor(private readonly database: Database) {
    this.reads = new Coalescer((batch) => this.findAll(batch), { maxBatch: 32, maxInFlight: 4 });
    this.inserts = new Coalescer<Creation, void>(
      async (batch) => {
        await insertAll(database, batch);
        return batch.map(() => ({ result: undefined }));
      },
      {
        maxBatch: 32,
        maxInFlight: 4,
        isolateFailures: true,
        weigh: ({ document, event }) => document.content.length + event.full_body.length,
      },
    );
  }

  /** Returns the document; `undefined` if it is in the trash or the access does not include it. */
  async find(access: Access, id: string): Promise<StoredDocument | undefined> {
    const found = await this.reads.submit({ account_id: access.accountId, id });
    return found && access.includes(found) ? found : undefined;
  }

  /**
   * Writes the document, its event and its audit entry, or nothing. Throws `conflict` if its external id is taken, and
   * `bad_request` for an unknown collection.
   */
  async insert(creation: Creation): Promise<void> {
    const { access, document } = creation;
    const { externalId, collectionId } = document;
    // The others run alone, because they may wait for another transaction with the same external ID or collection.
    const isShared = externalId === null && collectionId === ROOT && !this.database.isInTransaction;
    if (isShared) return this.inserts.submit(creation);
    const write = () => insertAll(this.database, [creation]);
    await inCollection(
      this.database,
      { accountId: access.accountId, collectionId },
      () => claimExternalId(this.database, { access, externalId }, write),
      () => noSuchCollection('collectionId'),
    );
  }

  private async findAll(batch: DocumentKey[]): Promise<Outcome<StoredDocument | undefined>[]> {
    const keys = new Map(batch.map((key) => [key.account_id + key.id, key]));
    const rows = await this.database.run<StoredRow>(FIND, [JSON.stringify([...keys.values()])]);
    const found = new Map(rows.map((row) => [row.accountId + row.id, fromStoredRow(row)]));
    return batch.map(({ account_id, id }) => ({ result: found.get(account_id + id) }));
  }
}

async function insertAll(database: Database, batch: readonly Creation[]): Promise<void> {
  const events = batch.map(({ event }) => event);
  const values = [
    recordsOf(batch.map(({ document, json }) => [toRow(document), json.content])),
    JSON.stringify(events),
    JSON.stringify(batch.map(({ entry }) => entry)),
  ];
  await runWithEvents(database, INSERT, values, events);
}
