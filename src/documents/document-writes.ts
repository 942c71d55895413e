import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit-entry.js';
import { Coalescer, type Outcome } from '../database/coalescer.js';
import {
  Database,
  type Executor,
  type Statement,
  type TransactionContext,
} from '../database/database.js';
import { insertEvents, type EventRow } from '../events/outbox.js';
import { markRedacted } from '../events/redaction.js';
import { Quotas } from '../usage/quotas.js';
import type { DocumentChange } from './document-change.js';
import type { FoundDocument } from './document-store.js';
import { CHANGED, KEPT_COLUMNS, KEPT_VALUES, RECORD, toRow } from './document-row.js';
import { rowsWithContent } from './rows-with-content.js';

const CONTENTS = `SELECT old.id, coalesce(wanted.content, old.content) AS content
                    FROM old JOIN wanted ON wanted.id = old.id`;

/**
 * Writes next versions of documents that are still as they were read. What was the document becomes its version before.
 * One that somebody else has locked counts as changed: a statement that many callers share waits for nobody.
 */
const UPDATE: Statement = {
  name: 'documents.update',
  text: `WITH wanted AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS wanted (
        ${RECORD}, delta text, delta_bytes integer, delta_count integer, author uuid, changes text[])
    ), old AS MATERIALIZED (
      SELECT item.* FROM wanted JOIN documents AS item ON item.id = wanted.id AND item.account_id = wanted.account_id
       WHERE item.version = wanted.version - 1 AND item.deleted_at IS NULL
         FOR UPDATE OF item SKIP LOCKED
    ), changed AS (
      UPDATE documents AS item
         SET ${CHANGED}, version_author = wanted.author, version_changes = wanted.changes,
             delta_bytes = wanted.delta_bytes, delta_count = wanted.delta_count
        FROM wanted JOIN old ON old.id = wanted.id
       WHERE item.id = old.id
    ), kept AS (
      INSERT INTO document_versions (document_id, number, account_id, content, content_delta, author, changes,
                                     created_at, ${KEPT_COLUMNS})
      SELECT old.id, old.version, old.account_id, CASE WHEN wanted.delta IS NULL THEN old.content END,
             wanted.delta::json, coalesce(old.version_author, old.created_by), coalesce(old.version_changes, '{}'),
             old.updated_at, ${KEPT_VALUES}
        FROM old JOIN wanted ON wanted.id = old.id
    ), emitted AS (${insertEvents('$2', 'WHERE subject_id IN (SELECT id FROM old)', CONTENTS)}
    ), audited AS (${insertAuditEntries('$3', 'WHERE resource_id IN (SELECT id FROM old)')})
    SELECT id FROM old`,
};

const OLD_CONTENT = 'SELECT id, content FROM old';

/** The document if it is still of version `$3` and deleted since `$4`, and nobody else has locked it. */
const STILL_SO = `SELECT id, content FROM documents
       WHERE id = $1 AND account_id = $2 AND version = $3 AND deleted_at IS NOT DISTINCT FROM $4::timestamptz
         FOR UPDATE SKIP LOCKED`;

/** `$5` is when it was deleted; null to restore it. */
const SET_DELETED: Statement = {
  name: 'documents.set-deleted',
  text: `WITH old AS MATERIALIZED (${STILL_SO}
    ), moved AS (
      UPDATE documents AS item SET deleted_at = $5::timestamptz FROM old WHERE item.id = old.id RETURNING item.id
    ), emitted AS (${insertEvents('$6', 'WHERE subject_id IN (SELECT id FROM moved)', OLD_CONTENT)}
    ), audited AS (${insertAuditEntries('$7', 'WHERE resource_id IN (SELECT id FROM moved)')})
    SELECT id FROM moved`,
};

const REMOVE: Statement = {
  name: 'documents.remove',
  text: `WITH old AS MATERIALIZED (${STILL_SO}
    ), gone AS (
      DELETE FROM documents AS item USING old WHERE item.id = old.id RETURNING item.id
    ), versions AS (
      DELETE FROM document_versions WHERE document_id IN (SELECT id FROM gone)
    ), emitted AS (${insertEvents('$5', 'WHERE subject_id IN (SELECT id FROM gone)')}
    ), hidden AS (${markRedacted('SELECT id FROM gone')}
    ), audited AS (${insertAuditEntries('$6', 'WHERE resource_id IN (SELECT id FROM gone)')})
    SELECT id FROM gone`,
};

/** A document as it was found, to be moved into the trash or out of it, or removed. */
export interface Move extends FoundDocument {
  events: readonly EventRow[];
  entry: AuditRow;
}

/**
 * Writes changes of documents. Each counts only if the document is still as it was read; the answer says whether it
 * was. All run in the transaction of `executor`, if one is given.
 */
@Injectable()
export class DocumentWrites {
  private readonly updates: Coalescer<DocumentChange, boolean>;

  constructor(
    private readonly database: Database,
    private readonly quotas: Quotas,
  ) {
    this.updates = new Coalescer((batch) => updateAll(database, batch), {
      maxBatch: 32,
      maxInFlight: 4,
      isolateFailures: true,
      // A content that stays is not sent again.
      weigh: ({ after, changes, delta, events }) =>
        (changes.includes('content') ? after.content.length : 0) +
        (delta?.length ?? 0) +
        events.reduce((sum, { full_body }) => sum + full_body.length, 0),
    });
  }

  /** Throws `forbidden` when the account has no room for what a document grows by. */
  async update(change: DocumentChange, context: TransactionContext): Promise<boolean> {
    if (change.claim) {
      return this.quotas.claiming(change.claim, context, (held) => updateOne(held, change));
    }
    const { executor } = context;
    return executor ? updateOne(executor, change) : this.updates.submit(change);
  }

  /** Moves the document into the trash, or out of it with `at` null. */
  async setDeleted(move: Move, at: Date | null, executor?: Executor): Promise<boolean> {
    const { document, deletedAt, events, entry } = move;
    const moved = await (executor ?? this.database).run(SET_DELETED, [
      document.id,
      document.accountId,
      document.version,
      deletedAt,
      at,
      JSON.stringify(events),
      JSON.stringify([entry]),
    ]);
    return moved.length > 0;
  }

  /** Removes the document for good, with its versions and its texts in events. */
  async remove(
    { document, deletedAt, events, entry }: Move,
    executor?: Executor,
  ): Promise<boolean> {
    const gone = await (executor ?? this.database).run(REMOVE, [
      document.id,
      document.accountId,
      document.version,
      deletedAt,
      JSON.stringify(events),
      JSON.stringify([entry]),
    ]);
    return gone.length > 0;
  }
}

async function updateOne(executor: Executor, change: DocumentChange): Promise<boolean> {
  const [outcome] = await updateAll(executor, [change]);
  return outcome !== undefined && 'result' in outcome && outcome.result;
}

async function updateAll(executor: Executor, batch: DocumentChange[]): Promise<Outcome<boolean>[]> {
  const rows = await executor.run<{ id: string }>(UPDATE, [
    rowsWithContent(batch.map((change) => [changedRow(change), newContent(change)])),
    JSON.stringify(batch.flatMap(({ events }) => events)),
    JSON.stringify(batch.map(({ entry }) => entry)),
  ]);
  const changed = new Set(rows.map(({ id }) => id));
  return batch.map(({ before }) => ({ result: changed.has(before.id) }));
}

/** JSON text; null for a content that stays. */
function newContent({ changes, json }: DocumentChange): string {
  return changes.includes('content') ? json.content : 'null';
}

function changedRow({ after, changes, delta, authorId }: DocumentChange): object {
  return {
    ...toRow(after),
    delta,
    delta_bytes: after.deltaBytes,
    delta_count: after.deltaCount,
    author: authorId,
    changes,
  };
}
