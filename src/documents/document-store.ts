import { Injectable } from '@nestjs/common';
import { Coalescer, type Outcome } from '../database/coalescer.js';
import { Database, type Executor, type Statement } from '../database/database.js';
import { DOCUMENT_COLUMNS, DOCUMENT_JOINS, fromRow, type DocumentRow } from './document-row.js';
import type { StoredDocument } from './document-change.js';

const STORED_COLUMNS = `${DOCUMENT_COLUMNS}, item.account_id AS "accountId", item.content,
  item.delta_bytes AS "deltaBytes", item.delta_count AS "deltaCount"`;

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

type StoredRow = DocumentRow &
  Pick<StoredDocument, 'accountId' | 'content' | 'deltaBytes' | 'deltaCount'>;

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

/** Documents in PostgreSQL. Reads that arrive together share one statement, each with its own outcome. */
@Injectable()
export class DocumentStore {
  private readonly reads: Coalescer<Wanted, StoredDocument | undefined>;

  constructor(private readonly database: Database) {
    this.reads = new Coalescer((batch) => this.findAll(batch), { maxBatch: 32, maxInFlight: 4 });
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
    const rows = await this.database.run<StoredRow>(FIND, [JSON.stringify([...wanted.values()])]);
    const found = new Map(rows.map((row) => [row.accountId + row.id, fromStoredRow(row)]));
    return batch.map(({ account_id, id }) => ({ result: found.get(account_id + id) }));
  }
}

function fromStoredRow(row: StoredRow): StoredDocument {
  const { accountId, content, deltaBytes, deltaCount } = row;
  return { ...fromRow(row), accountId, content, deltaBytes, deltaCount };
}
