import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import { insertAuditEntries, type AuditRow } from '../../audit/audit.repository.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { runWithEvents } from '../../events/events.repository.js';
import { insertEvents, type EventRow } from '../../events/outbox.js';
import { markRedacted } from '../../events/redaction.js';
import type { DocumentChange, StoredDocument } from './document-change.js';
import type { Document } from '../model/document-fields.js';
import {
  CHANGED,
  DOCUMENT_JOINS,
  fromStoredRow,
  VERSION_COLUMNS,
  VERSION_VALUES,
  RECORD,
  recordsOf,
  STORED_COLUMNS,
  toRow,
  type StoredRow,
} from '../model/document-row.js';
import { DocumentsRepository } from '../documents.repository.js';
import { TRASH_DAYS } from '../../content/trash-days.js';
import { inCollection } from '../../collections/collection-documents.js';
import { ROOT } from '../../auth/access/rights.js';
import { noSuchCollection } from '../../collections/collection.js';
import { claimExternalId } from './external-ids.repository.js';

/** FOR NO KEY UPDATE lets other transactions insert rows that refer to the document, such as analyses. */
const LOCK: Statement = {
  name: 'documents.lock',
  text: `SELECT ${STORED_COLUMNS}, item.deleted_at AS "deletedAt" FROM documents AS item ${DOCUMENT_JOINS}
          WHERE item.id = $1 AND item.account_id = $2 FOR NO KEY UPDATE OF item`,
};

/** Documents that the transaction has locked. */
const READ_LOCKED: Statement = {
  name: 'documents.read-locked',
  text: `SELECT ${STORED_COLUMNS} FROM documents AS item ${DOCUMENT_JOINS}
          WHERE item.id = ANY ($1::uuid[]) AND item.account_id = $2 AND item.deleted_at IS NULL`,
};

/** Locks in ID order, so that two batches over the same documents cannot deadlock. */
const LOCK_ALL: Statement = {
  name: 'documents.lock-all',
  text: 'SELECT id FROM documents WHERE id = ANY($1::uuid[]) AND account_id = $2 ORDER BY id FOR NO KEY UPDATE',
};

/**
 * Writes the next version of each document that is unlocked and still at the previous version and publication, stores
 * the previous state in `document_versions`, and returns the ids. The SQL arrays make the planner use the primary key. For a JSON array it
 * estimates 100 rows and would scan the table.
 */
const UPDATE: Statement = {
  name: 'documents.update',
  text: `WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS wanted (
        ${RECORD}, delta text, delta_bytes integer, delta_count integer, author uuid, changes text[], origin text,
        published_before integer)
    ), old AS MATERIALIZED (
      SELECT item.* FROM wanted JOIN documents AS item ON item.id = wanted.id AND item.version = wanted.version - 1
         AND item.published_version IS NOT DISTINCT FROM wanted.published_before
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
                                     origin, created_at, ${VERSION_COLUMNS})
      SELECT old.id, old.version, old.account_id, CASE WHEN wanted.delta IS NULL THEN old.content END,
             wanted.delta::json, coalesce(old.version_author, old.created_by), coalesce(old.version_changes, '{}'),
             old.version_origin, old.updated_at, ${VERSION_VALUES}
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

/** `$2` is the time of deletion. Null restores the document. */
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

const PURGE_BATCH = 200;

/** The audit entries have no user, because the service deletes the documents. */
const PURGE: Statement = {
  name: 'documents.purge',
  text: `WITH gone AS (
      DELETE FROM documents WHERE id IN (
        SELECT id FROM documents WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT ${String(PURGE_BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING id, account_id
    ), versions AS (
      DELETE FROM document_versions WHERE document_id IN (SELECT id FROM gone)
    ), hidden AS (${markRedacted('SELECT id FROM gone')}
    ), audited AS (
      INSERT INTO audit_log (id, account_id, action, resource_id, details, created_at)
      SELECT uuid_v7(), account_id, 'document.purge', id, '{"by":"service","reason":"${String(TRASH_DAYS)} days in the trash"}', $2
        FROM gone
    )
    SELECT id FROM gone`,
};

const ANNOUNCE: Statement = {
  name: 'documents.announce',
  text: insertEvents('$1', '', 'SELECT id, content FROM documents WHERE id = $2'),
};

/** A document that may be in the trash. */
export interface FoundDocument {
  document: StoredDocument;
  /** Time of deletion, or null if the document is not in the trash. */
  deletedAt: Date | null;
}

/** The event and audit entry that commit when a document is moved to the trash, restored or permanently deleted. */
export interface Move {
  /** The access of the caller, for errors. */
  access: Access;
  document: Document;
  events: readonly EventRow[];
  entry: AuditRow;
}

/**
 * Reads and locks documents, and writes changes with their events and audit entries. Outside transactions, concurrent
 * changes share one statement, each with its own outcome (docs/adr/0009-persistence-and-transactions.md).
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

  /** Returns the document without locking it; `undefined` if it is in the trash or the access does not include it. */
  find(access: Access, id: string): Promise<StoredDocument | undefined> {
    return this.documents.find(access, id);
  }

  /** Locks and returns the document, even if it is in the trash. Returns `undefined` if the access does not include it. */
  async lock(access: Access, id: string): Promise<FoundDocument | undefined> {
    const [row] = await this.database.run<StoredRow & { deletedAt: Date | null }>(LOCK, [
      id,
      access.accountId,
    ]);
    const document = row && fromStoredRow(row);
    return document && access.includes(document)
      ? { document, deletedAt: row.deletedAt }
      : undefined;
  }

  /** Locks all documents that a transaction will change, so that none of its changes finds a document locked elsewhere. */
  async lockAll(accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.database.run(LOCK_ALL, [ids, accountId]);
  }

  /** Returns those of the locked documents that the access includes and that are not in the trash, by UUID. */
  async readLocked(access: Access, ids: readonly string[]): Promise<Map<string, StoredDocument>> {
    const rows = await this.database.run<StoredRow>(READ_LOCKED, [ids, access.accountId]);
    const documents = rows.map(fromStoredRow).filter((document) => access.includes(document));
    return new Map(documents.map((document) => [document.id, document]));
  }

  /** Writes changes of documents that the caller's transaction has locked, which keep their external IDs and collections. */
  async updateLocked(changes: DocumentChange[]): Promise<void> {
    if (changes.length === 0) return;
    const outcomes = await this.updateAll(changes);
    if (outcomes.some(({ result }) => !result)) throw new Error('A locked document was changed.');
  }

  /**
   * Writes the change. Returns false if the document has changed or is locked. Throws `conflict` if the new external id
   * is taken, and `bad_request` for an unknown new collection.
   */
  async update(change: DocumentChange): Promise<boolean> {
    const { access, after, changes } = change;
    const isRenamed = changes.includes('externalId');
    const collectionId = changes.includes('collectionId') ? after.collectionId : ROOT;
    if (!isRenamed && collectionId === ROOT && !this.database.isInTransaction)
      return this.updates.submit(change);
    const write = async () => {
      const [outcome] = await this.updateAll([change]);
      return outcome?.result ?? false;
    };
    const externalId = isRenamed ? after.externalId : null;
    return inCollection(
      this.database,
      { accountId: access.accountId, collectionId },
      () => claimExternalId(this.database, { access, externalId }, write),
      () => noSuchCollection('collectionId'),
    );
  }

  /** Moves the document to the trash. */
  trash(move: Move, at: Date): Promise<void> {
    return this.setDeleted(move, at);
  }

  /**
   * Restores the document. Throws `conflict` if its external id is taken or its collection was deleted. With `moves`, the
   * caller moves it in the same transaction, so its collection may be deleted.
   */
  restore(move: Move, { moves }: { moves: boolean }): Promise<void> {
    const { access, document } = move;
    const { externalId, collectionId } = document;
    const write = () => this.setDeleted(move, null);
    return inCollection(
      this.database,
      { accountId: access.accountId, collectionId: moves ? ROOT : collectionId },
      () => claimExternalId(this.database, { access, externalId }, write),
      collectionWasDeleted,
    );
  }

  /** `at` is null for a document that is restored. */
  private async setDeleted({ document, events, entry }: Move, at: Date | null): Promise<void> {
    const values = [document.id, at, JSON.stringify(events), JSON.stringify([entry])];
    await runWithEvents(this.database, SET_DELETED, values, events);
  }

  /** Permanently deletes the document and its versions, and removes its text from events. */
  async remove({ document, events, entry }: Omit<Move, 'access'>): Promise<void> {
    const values = [document.id, JSON.stringify(events), JSON.stringify([entry])];
    await runWithEvents(this.database, REMOVE, values, events);
  }

  /** Writes an event about the document that does not change it. */
  async announce(documentId: string, event: EventRow): Promise<void> {
    const values = [JSON.stringify([event]), documentId];
    await runWithEvents(this.database, ANNOUNCE, values, [event]);
  }

  /** Permanently deletes one batch of documents that were deleted before `cutoff`. Returns true if there may be more. */
  async purge(cutoff: Date, now: Date): Promise<boolean> {
    return (await this.database.run(PURGE, [cutoff, now])).length === PURGE_BATCH;
  }

  private async updateAll(batch: DocumentChange[]): Promise<{ result: boolean }[]> {
    // Only the first change to a document can succeed, because the others start from the same version.
    const first = new Map(batch.toReversed().map((change) => [change.before.id, change]));
    const changes = [...first.values()];
    const events = changes.flatMap((change) => change.events);
    const values = [
      recordsOf(changes.map(recordOf)),
      JSON.stringify(events),
      JSON.stringify(changes.map(({ entry }) => entry)),
    ];
    const written = await runWithEvents<{ id: string }>(this.database, UPDATE, values, events);
    const ids = new Set(written.map(({ id }) => id));
    return batch.map((change) => ({
      result: first.get(change.before.id) === change && ids.has(change.before.id),
    }));
  }
}

/** Returns the error for restoring a document to a deleted collection. */
export function collectionWasDeleted(): AppError {
  return new AppError(
    'conflict',
    'The collection of this document was deleted. Send the collectionId of another one, or null for the root.',
    {
      field: 'collectionId',
      issue: 'is needed, because the collection of this document was deleted',
    },
  );
}

/** Returns the input of `UPDATE` for a change. Unchanged content is not sent again. */
function recordOf({ before, after, changes, json, delta, authorId, origin }: DocumentChange) {
  const row = {
    ...toRow(after),
    delta,
    delta_bytes: after.deltaBytes,
    delta_count: after.deltaCount,
    author: authorId,
    changes,
    origin: origin && JSON.stringify(origin),
    published_before: before.publishedVersion,
  };
  return [row, changes.includes('content') ? json.content : 'null'] as const;
}
