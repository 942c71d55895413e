import { Injectable } from '@nestjs/common';
import {
  MINUTE_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { PUBLISHED_INSERTED } from '../model/document-row.js';

/** Documents per transaction. More would hold their locks for too long: 500 take 0.4 s. */
const BATCH = 200;

/** Longer than any transaction that still acts on the settings from before their change. */
const LATE_WRITERS_MS = MINUTE_MS;

/**
 * Claims an account whose published versions may not agree with its settings. Accounts take turns. After the first pass over
 * all documents, the next one begins once the settings are older than $1.
 */
const CLAIM: Statement = {
  name: 'publishing-settlement.claim',
  text: `SELECT account_id AS "accountId", enabled, updated_at AS "updatedAt", seen_created_at AS "seenCreatedAt", seen_id AS "seenId", pass_began_at AS "passBeganAt"
           FROM publishing_settings
          WHERE NOT settled AND (pass_began_at IS NULL OR seen_id IS NOT NULL OR updated_at <= $1)
          ORDER BY random() LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
};

/**
 * Returns the statement that publishes the current version of published documents of the account $1 that have no published
 * version, in the order of creation from $2 and $3 on. Readers get it since its last change. Returns the documents it looked at.
 */
function pinStatement(name: string, condition: string): Statement {
  const columns = PUBLISHED_INSERTED.split(', ');
  return {
    name,
    text: `WITH seen AS MATERIALIZED (
        SELECT id, created_at FROM documents
         WHERE account_id = $1 AND status = 'published' AND ${condition} AND (created_at, id) > ($2::timestamptz, $3::uuid)
         ORDER BY created_at, id LIMIT ${String(BATCH)}
      ), item AS MATERIALIZED (
        SELECT * FROM documents
         WHERE id = ANY (ARRAY(SELECT id FROM seen)) AND status = 'published' AND published_version IS NULL
         ORDER BY id FOR NO KEY UPDATE
      ), numbered AS MATERIALIZED (
        SELECT item.id, coalesce(max(history.number), 0) + 1 AS number, least(min(history.published_at), min(item.updated_at)) AS first_published_at
          FROM item LEFT JOIN publication_history AS history ON history.document_id = item.id GROUP BY item.id
      ), noted AS (
        INSERT INTO publication_history (document_id, number, account_id, version, published_at)
        SELECT id, number, account_id, version, updated_at FROM item JOIN numbered USING (id)
      ), published AS (
        INSERT INTO publications (${PUBLISHED_INSERTED}, version_author, deleted_at, number, published_at, first_published_at)
        SELECT ${columns.map((column) => `item.${column}`).join(', ')}, version_author, deleted_at, number, updated_at, first_published_at
          FROM item JOIN numbered ON numbered.id = item.id
      ), pinned AS (
        UPDATE documents SET published_version = documents.version FROM item WHERE documents.id = item.id
      )
      SELECT id, created_at AS "createdAt" FROM seen ORDER BY created_at, id`,
  };
}

const PIN = pinStatement('publishing-settlement.pin', 'deleted_at IS NULL');
/** The trash has only documents of some weeks, so it needs no place to go on from. */
const PIN_IN_TRASH = pinStatement(
  'publishing-settlement.pin-in-trash',
  'deleted_at IS NOT NULL AND published_version IS NULL',
);

/** Removes published versions of the account $1, at $2. Statuses stay. */
const UNPIN: Statement = {
  name: 'publishing-settlement.unpin',
  text: `WITH item AS MATERIALIZED (
      SELECT id FROM documents WHERE id = ANY (ARRAY(
        SELECT id FROM publications WHERE account_id = $1 LIMIT ${String(BATCH)}))
       ORDER BY id FOR NO KEY UPDATE
    ), gone AS (
      DELETE FROM publications WHERE id IN (SELECT id FROM item)
    ), ended AS (
      UPDATE publication_history SET ended_at = $2 WHERE document_id IN (SELECT id FROM item) AND ended_at IS NULL
    )
    UPDATE documents SET published_version = NULL, has_unpublished_changes = false FROM item WHERE documents.id = item.id
    RETURNING documents.id`,
};

const SAVE: Statement = {
  name: 'publishing-settlement.save',
  text: 'UPDATE publishing_settings SET settled = $2, seen_created_at = $3, seen_id = $4, pass_began_at = $5 WHERE account_id = $1',
};

interface Claimed {
  accountId: string;
  enabled: boolean;
  updatedAt: Date;
  seenCreatedAt: Date | null;
  seenId: string | null;
  passBeganAt: Date | null;
}

interface Seen {
  id: string;
  createdAt: Date;
}

const START = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const;

/** Adds or removes published versions after publishing was turned on or off, without events. */
@RunsInBackground({ name: 'The change of published versions after a switch', everyMs: 1000 })
@Injectable()
export class PublishingSettlement implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    return this.database.transaction(async () => {
      const now = this.clock.now();
      const late = new Date(now.getTime() - LATE_WRITERS_MS);
      const [claimed] = await this.database.run<Claimed>(CLAIM, [late]);
      if (!claimed) return false;
      const { accountId, enabled, updatedAt, seenId } = claimed;
      const passBeganAt = seenId === null ? now : (claimed.passBeganAt ?? now);
      const last = enabled ? await this.pin(claimed) : await this.unpin(claimed);
      const isLate = passBeganAt.getTime() - updatedAt.getTime() >= LATE_WRITERS_MS;
      const settled = last === undefined && isLate;
      const seen = [last?.createdAt ?? null, last?.id ?? null];
      await this.database.run(SAVE, [accountId, settled, ...seen, passBeganAt]);
      return true;
    });
  }

  /** Returns the last document that was looked at; undefined if there are no more. */
  private async pin({ accountId, seenCreatedAt, seenId }: Claimed): Promise<Seen | undefined> {
    const from = [seenCreatedAt ?? START[0], seenId ?? START[1]];
    const seen = await this.database.run<Seen>(PIN, [accountId, ...from]);
    if (seen.length > 0) return seen.at(-1);
    const inTrash = await this.database.run<Seen>(PIN_IN_TRASH, [accountId, ...START]);
    // The next batch has no documents outside the trash either.
    return inTrash.length > 0 && seenCreatedAt !== null && seenId !== null
      ? { id: seenId, createdAt: seenCreatedAt }
      : inTrash.at(-1);
  }

  private async unpin({ accountId }: Claimed): Promise<Seen | undefined> {
    const values = [accountId, this.clock.now()];
    const [first] = await this.database.run<Pick<Seen, 'id'>>(UNPIN, values);
    return first && { id: first.id, createdAt: this.clock.now() };
  }
}
