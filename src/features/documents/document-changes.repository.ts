import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit.repository.js';
import { Coalescer } from '../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { insertEvents, type EventRow } from '../events/outbox.js';
import { markRedacted } from '../events/redaction.js';
import type { DocumentChange, StoredDocument } from './document-change.js';
import type { Document } from './document-fields.js';
import {
  CHANGED,
  DOCUMENT_JOINS,
  fromStoredRow,
  KEPT_COLUMNS,
  KEPT_VALUES,
  RECORD,
  recordsOf,
  STORED_COLUMNS,
  toRow,
  type StoredRow,
} from './document-row.js';
import { DocumentsRepository } from './documents.repository.js';
import { claimExternalId } from './external-ids.js';

/**
 * A document's key never changes, so rows that refer to it, such as analyses, are written beside a change: their foreign
 * keys would wait for a lock FOR UPDATE, with the rows in hand that the change may want.
 */
const LOCK: Statement = {
  name: 'documents.lock',
  text: `SELECT ${STORED_COLUMNS}, item.deleted_at AS "deletedAt" FROM documents AS item ${DOCUMENT_JOINS}
          WHERE item.id = $1 AND item.account_id = $2 FOR NO KEY UPDATE OF item`,
};

/** In the order of ids, so that two batches over the same documents do not deadlock. */
const LOCK_ALL: Statement = {
  name: 'documents.lock-all',
  text: 'SELECT id FROM documents WHERE id = ANY($1::uuid[]) AND account_id = $2 ORDER BY id FOR NO KEY UPDATE',
};

/**
 * Writes the next versions of documents that are still of the versions before and that nobody else has locked, and returns
 * their ids. What they were becomes their versions before. The arrays keep the planner, which takes a JSON array for 100
 * rows, from reading the whole table.
 */
const UPDATE: Statement = {
  name: 'documents.update',
  text: `WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS wanted (
        ${RECORD}, delta text, delta_bytes integer, delta_count integer, author uuid, changes text[], origin text)
    ), old AS MATERIALIZED (
      SELECT item.* FROM wanted JOIN documents AS item ON item.id = wanted.id AND item.version = wanted.version - 1
       WHERE item.id = ANY (ARRAY(SELECT id FROM wanted)) AND item.deleted_at IS NULL
         FOR NO KEY UPDATE OF item SKIP LOCKED
    ), changed AS (
      UPDATE documents AS item
         SET ${CHANGED}, version_author = wanted.author, version_changes = wanted.changes,
             version_origin = wanted.origin::json,
             delta_bytes = wanted.delta_bytes, delta_count = wanted.delta_count
        FROM wanted WHERE item.id = wanted.id AND item.id = ANY (ARRAY(SELECT id FROM old))
    ), kept AS (
      INSERT INTO document_versions (document_id, number, account_id, content, content_delta, author, changes,
                                     origin, created_at, ${KEPT_COLUMNS})
      SELECT old.id, old.version, old.account_id, CASE WHEN wanted.delta IS NULL THEN old.content END,
             wanted.delta::json, coalesce(old.version_author, old.created_by), coalesce(old.version_changes, '{}'),
             old.version_origin, old.updated_at, ${KEPT_VALUES}
        FROM old JOIN wanted ON wanted.id = old.id
    ), emitted AS (
      ${insertEvents(
        '$2',
        'WHERE subject_id IN (SELECT id FROM old)',
        'SELECT old.id, coalesce(wanted.content, old.content) AS content FROM old JOIN wanted ON wanted.id = old.id',
      )}
    ), audited AS (${insertAuditEntries('$3', 'WHERE resource_id IN (SELECT id FROM old)')})
    SELECT id FROM old`,
};

/** `$2` is when it was deleted; null to restore it. */
const SET_DELETED: Statement = {
  name: 'documents.set-deleted',
  text: `WITH moved AS (
      UPDATE documents SET deleted_at = $2::timestamptz WHERE id = $1 RETURNING id, content
    ), emitted AS (${insertEvents('$3', '', 'SELECT id, content FROM moved')})
    ${insertAuditEntries('$4')}`,
};

const REMOVE: Statement = {
  name: 'documents.remove',
  text: `WITH gone AS (
      DELETE FROM documents WHERE id = $1 RETURNING id
    ), versions AS (
      DELETE FROM document_versions WHERE document_id = $1
    ), emitted AS (${insertEvents('$2')}
    ), hidden AS (${markRedacted('SELECT id FROM gone')})
    ${insertAuditEntries('$3')}`,
};

/** A document that may be in the trash. */
export interface FoundDocument {
  document: StoredDocument;
  /** When it was deleted; null for a document that is not. */
  deletedAt: Date | null;
}

/** What commits with moving a document into the trash or out of it, or removing it. */
export interface Move {
  document: Document;
  events: readonly EventRow[];
  entry: AuditRow;
}

/**
 * Reads or locks documents and writes their changes, each with its events and audit entry. Outside of transactions,
 * changes that arrive together share one statement, each with its own outcome (docs/adr/0009-persistence-and-transactions.md).
 */
@Injectable()
export class DocumentChangesRepository {
  private readonly updates: Coalescer<DocumentChange, boolean>;

  constructor(
    private readonly database: Database,
    private readonly documents: DocumentsRepository,
  ) {
    this.updates = new Coalescer((batch) => this.updateAll(batch), {
      maxBatch: 32,
      maxInFlight: 4,
      isolateFailures: true,
      weigh: ({ json, events }) =>
        events.reduce((sum, { full_body }) => sum + full_body.length, json.content.length),
    });
  }

  /** The document as it is, which others may change meanwhile. `undefined` when it is in the trash or another account's. */
  find(accountId: string, id: string): Promise<StoredDocument | undefined> {
    return this.documents.find(accountId, id);
  }

  /** The document, in the trash too, unless it is another account's. Nobody else changes it until the transaction ends. */
  async lock(accountId: string, id: string): Promise<FoundDocument | undefined> {
    const [row] = await this.database.run<StoredRow & { deletedAt: Date | null }>(LOCK, [
      id,
      accountId,
    ]);
    return row && { document: fromStoredRow(row), deletedAt: row.deletedAt };
  }

  /** Locks documents that a transaction of several changes will change, so that each of these finds its own free. */
  async lockAll(accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.database.run(LOCK_ALL, [ids, accountId]);
  }

  /**
   * Whether it was written: the document was still of the version before, and nobody else had it locked. Throws `conflict`
   * when the external id it is to have is taken.
   */
  async update(change: DocumentChange): Promise<boolean> {
    if (!change.changes.includes('externalId') && !this.database.isInTransaction)
      return this.updates.submit(change);
    const write = async () => {
      const [outcome] = await this.updateAll([change]);
      return outcome?.result ?? false;
    };
    return change.changes.includes('externalId')
      ? claimExternalId(this.database, change.after, write)
      : write();
  }

  /** Moves the document into the trash, or out of it with `at` null; that throws `conflict` when its external id is taken. */
  async setDeleted({ document, events, entry }: Move, at: Date | null): Promise<void> {
    const values = [document.id, at, JSON.stringify(events), JSON.stringify([entry])];
    const write = async () => {
      await this.database.run(SET_DELETED, values);
    };
    if (at === null && document.externalId !== null)
      await claimExternalId(this.database, document, write);
    else await write();
  }

  /** Removes the document for good, with its versions and its texts in events. */
  async remove({ document, events, entry }: Move): Promise<void> {
    const values = [document.id, JSON.stringify(events), JSON.stringify([entry])];
    await this.database.run(REMOVE, values);
  }

  private async updateAll(batch: DocumentChange[]): Promise<{ result: boolean }[]> {
    // One of a document: the others were made of the same version and come too late.
    const first = new Map(batch.toReversed().map((change) => [change.before.id, change]));
    const made = [...first.values()];
    const written = await this.database.run<{ id: string }>(UPDATE, [
      recordsOf(made.map(recordOf)),
      JSON.stringify(made.flatMap(({ events }) => events)),
      JSON.stringify(made.map(({ entry }) => entry)),
    ]);
    const ids = new Set(written.map(({ id }) => id));
    return batch.map((change) => ({
      result: first.get(change.before.id) === change && ids.has(change.before.id),
    }));
  }
}

/** What a change makes of its document, as `UPDATE` takes it. A content that stays is not sent again. */
function recordOf({ after, changes, json, delta, authorId, origin }: DocumentChange) {
  const row = {
    ...toRow(after),
    delta,
    delta_bytes: after.deltaBytes,
    delta_count: after.deltaCount,
    author: authorId,
    changes,
    origin: origin && JSON.stringify(origin),
  };
  return [row, changes.includes('content') ? json.content : 'null'] as const;
}
