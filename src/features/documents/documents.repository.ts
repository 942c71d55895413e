import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit.repository.js';
import { Coalescer, type Outcome } from '../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { insertEvents, type EventRow } from '../events/outbox.js';
import type { StoredDocument } from './document-change.js';
import type { PresentedDocument } from './document-events.js';
import {
  DOCUMENT_JOINS,
  fromStoredRow,
  INSERTED,
  INSERTED_VALUES,
  RECORD,
  recordsOf,
  toRow,
  STORED_COLUMNS,
  type StoredRow,
} from './document-row.js';

import { claimExternalId } from './external-ids.js';

/** The array keeps the planner, which takes a JSON array for 100 rows, from reading the whole table. */
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

/** A new document with what commits with it. */
export interface Creation extends PresentedDocument {
  event: EventRow;
  entry: AuditRow;
}

interface Wanted {
  id: string;
  account_id: string;
}

/**
 * Reads and makes documents. Outside of transactions, reads that arrive together share one statement, and so do
 * creates, each with its own outcome (docs/adr/0009-persistence-and-transactions.md).
 */
@Injectable()
export class DocumentsRepository {
  private readonly reads: Coalescer<Wanted, StoredDocument | undefined>;
  private readonly inserts: Coalescer<Creation, void>;

  constructor(private readonly database: Database) {
    this.reads = new Coalescer((batch) => this.findAll(batch), { maxBatch: 32, maxInFlight: 4 });
    this.inserts = new Coalescer((batch) => this.insertAll(batch), {
      maxBatch: 32,
      maxInFlight: 4,
      isolateFailures: true,
      weigh: ({ document, event }) => document.content.length + event.full_body.length,
    });
  }

  /** The document, unless it is deleted or another account's. */
  async find(accountId: string, id: string): Promise<StoredDocument | undefined> {
    return this.reads.submit({ account_id: accountId, id });
  }

  /** Writes the document, its event and its audit entry, or nothing. Throws `conflict` when its external id is taken. */
  async insert(creation: Creation): Promise<void> {
    const { document } = creation;
    // By itself: it may have to wait for another transaction that uses the same external id.
    if (document.externalId !== null)
      await claimExternalId(this.database, document, async () => {
        await this.insertAll([creation]);
      });
    else if (this.database.isInTransaction) await this.insertAll([creation]);
    else await this.inserts.submit(creation);
  }

  private async findAll(batch: Wanted[]): Promise<Outcome<StoredDocument | undefined>[]> {
    const wanted = new Map(batch.map((one) => [one.account_id + one.id, one]));
    const rows = await this.database.run<StoredRow>(FIND, [JSON.stringify([...wanted.values()])]);
    const found = new Map(rows.map((row) => [row.accountId + row.id, fromStoredRow(row)]));
    return batch.map(({ account_id, id }) => ({ result: found.get(account_id + id) }));
  }

  private async insertAll(batch: Creation[]): Promise<Outcome<void>[]> {
    await this.database.run(INSERT, [
      recordsOf(batch.map(({ document, json }) => [toRow(document), json.content])),
      JSON.stringify(batch.map(({ event }) => event)),
      JSON.stringify(batch.map(({ entry }) => entry)),
    ]);
    return batch.map(() => ({ result: undefined }));
  }
}
