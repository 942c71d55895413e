import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { Plan } from '../../auth/plan.js';
import type { JobError, JobStatus } from '../../jobs/queue/job-state.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';
import type { EnhancementEntity } from './enhancement.entity.js';
import {
  countsOf,
  statusOf,
  type FieldChange,
  type Suggestion,
  type SuggestionCounts,
} from './enhancement.js';

/** Number of enhancements stored for each document. */
const MAX_STORED = 100;

export const HEAD = `item.id, item.document_id AS "documentId", item.base_version AS "baseVersion",
  item.text_version AS "textVersion", item.status, item.job_id AS "jobId", item.automatic, item.goals::jsonb,
  item.instructions, item.settings::jsonb, item.counts::jsonb, item.notes::jsonb, item.engine::jsonb,
  item.created_at AS "createdAt", item.updated_at AS "updatedAt", author.id AS "authorId", author.name AS "authorName",
  author.email AS "authorEmail", job.status AS "jobStatus", job.error::jsonb AS "jobError", job.done::float8 AS done,
  job.total::float8 AS total, item.is_proposal AS "isProposal", item.is_open_proposal AS "isOpenProposal",
  item.key_id AS "keyId", sender.name AS "keyName", item.message, owner.title, owner.version`;
export const JOINS = `CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS author
  LEFT JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = item.job_id LIMIT 1) AS job ON true
  LEFT JOIN LATERAL (SELECT name FROM api_keys WHERE api_keys.id = item.key_id LIMIT 1) AS sender ON true
  LEFT JOIN LATERAL (SELECT title, version FROM documents WHERE documents.id = item.document_id AND item.is_proposal
                      LIMIT 1) AS owner ON true`;
export const OF_DOCUMENT = 'item.account_id = $1 AND item.document_id = $2';

const LISTING = {
  name: 'enhancements',
  table: 'enhancements',
  where: OF_DOCUMENT,
  total: `SELECT count(*) AS n FROM enhancements AS item WHERE ${OF_DOCUMENT}`,
  columns: HEAD,
  joins: JOINS,
  sorts: BY_CREATION,
};

const FIND: Statement = {
  name: 'enhancements.find',
  text: `SELECT ${HEAD}, item.suggestions::jsonb, item.field_changes::jsonb AS "fieldChanges" FROM enhancements AS item ${JOINS} WHERE ${OF_DOCUMENT} AND item.id = $3`,
};

/** Reads the state of several enhancements for their streams. */
const PROGRESS: Statement = {
  name: 'enhancements.progress',
  text: `SELECT ${HEAD} FROM enhancements AS item ${JOINS} WHERE item.id = ANY ($1::uuid[])`,
};

const LOCK: Statement = {
  name: 'enhancements.lock',
  text: `SELECT id FROM enhancements AS item WHERE ${OF_DOCUMENT} AND id = $3 FOR UPDATE`,
};

/**
 * Deletes the oldest enhancements beyond the limit, except pending ones and open proposals. Locks the document first, so
 * that a deletion of the document waits for this statement and includes the new enhancement.
 */
export const MAKE_ROOM = `WITH document AS MATERIALIZED (
      SELECT id FROM documents WHERE id = $2 FOR KEY SHARE
    ), surplus AS (
      DELETE FROM enhancements
       WHERE EXISTS (SELECT FROM document) AND status <> 'pending' AND NOT is_open_proposal AND id IN (
        SELECT id FROM enhancements AS item WHERE ${OF_DOCUMENT}
         ORDER BY created_at DESC, id DESC OFFSET ${String(MAX_STORED - 1)})
    )`;

const INSERT: Statement = {
  name: 'enhancements.insert',
  text: `${MAKE_ROOM}
    INSERT INTO enhancements (account_id, document_id, id, job_id, base_version, text_version, automatic, goals,
                              instructions, settings, suggestions, counts, notes, engine, created_by, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $5, $6, $7::json, $8, $9::json, '[]', $10::json, '{"dropped":{},"warnings":[]}', $11::json,
            $12, $13, $13)`,
};

const FILL: Statement = {
  name: 'enhancements.fill',
  text: `UPDATE enhancements SET status = $2, suggestions = $3::json, counts = $4::json, notes = $5::json,
                engine = $6::json, updated_at = $7
          WHERE id = $1 AND status = 'pending' RETURNING id`,
};

const DECIDE: Statement = {
  name: 'enhancements.decide',
  text: `UPDATE enhancements SET status = $2, suggestions = $3::json, counts = $4::json, text_version = $5, updated_at = $6,
                field_changes = $7::json, is_open_proposal = is_proposal AND $8
          WHERE id = $1`,
};

const REMOVE_PENDING: Statement = {
  name: 'enhancements.remove-pending',
  text: `DELETE FROM enhancements WHERE id = $1 AND status = 'pending'`,
};

/** Maximum rows that one read of due or outdated enhancements returns. */
export const DUE_BATCH = 50;

/** Selects pending automatic enhancements whose document has changed since. */
const OUTDATED: Statement = {
  name: 'auto-enhance.outdated',
  text: `SELECT made.id, made.job_id AS "jobId"
           FROM due_enhancements AS due
           JOIN documents AS item ON item.id = due.document_id
           JOIN enhancements AS made ON made.document_id = due.document_id
          WHERE made.status = 'pending' AND made.automatic AND made.base_version < item.version LIMIT ${String(DUE_BATCH)}`,
};

/** Selects due documents. `version` is null for documents in the trash or with automatic enhancement turned off. */
const DUE: Statement = {
  name: 'auto-enhance.due',
  text: `SELECT due.document_id AS "documentId", due.account_id AS "accountId", due.changed_at AS "changedAt",
                item.version, octet_length(item.content) AS bytes, item.ai_settings::text AS "aiSettings", account.plan, author.id AS "authorId",
                author.name AS "authorName", author.email AS "authorEmail"
           FROM due_enhancements AS due
           JOIN accounts AS account ON account.id = due.account_id
           LEFT JOIN documents AS item ON item.id = due.document_id AND item.deleted_at IS NULL
            AND item.ai_settings ->> 'autoEnhance' = 'true'
           LEFT JOIN users AS author ON author.id = coalesce(item.version_author, item.created_by)
          WHERE due.changed_at <= $1 ORDER BY due.changed_at LIMIT ${String(DUE_BATCH)}`,
};

const REMOVE_DUE: Statement = {
  name: 'auto-enhance.done',
  text: 'DELETE FROM due_enhancements WHERE document_id = $1 AND changed_at = $2 RETURNING document_id',
};

const POSTPONE_DUE: Statement = {
  name: 'auto-enhance.postpone',
  text: 'UPDATE due_enhancements SET changed_at = $3 WHERE document_id = $1 AND changed_at = $2',
};

/** A document that is due for automatic enhancement. */
export interface DueDocument {
  documentId: string;
  accountId: string;
  changedAt: Date;
  plan: Plan;
  /** This and the following fields are null if the document must not be enhanced. */
  version: number | null;
  bytes: number;
  aiSettings: string;
  authorId: string;
  authorName: string;
  authorEmail: string;
}

type HeadColumns = Omit<
  EnhancementEntity,
  'accountId' | 'suggestions' | 'fieldChanges' | 'createdBy'
>;

/** An enhancement as lists show it. The job's fields are null if the job was deleted. Ids are UUIDs. */
export interface EnhancementHead extends HeadColumns {
  authorId: string;
  authorName: string;
  authorEmail: string;
  jobStatus: JobStatus | null;
  jobError: JobError | null;
  done: number | null;
  total: number | null;
  /** The name of the key that sent a proposal. */
  keyName: string | null;
  /** The current title and version of the document of a proposal. Null for generated sets. */
  title: string | null;
  version: number | null;
}

export interface Enhancement extends EnhancementHead {
  suggestions: Suggestion[];
  fieldChanges: FieldChange[];
}

/** The proposed changes of an enhancement with their review states. */
export type Reviewed = Pick<Enhancement, 'suggestions' | 'fieldChanges' | 'textVersion'>;

type NewEnhancement = Pick<
  EnhancementEntity,
  | 'id'
  | 'accountId'
  | 'documentId'
  | 'jobId'
  | 'baseVersion'
  | 'automatic'
  | 'goals'
  | 'instructions'
  | 'settings'
  | 'engine'
  | 'createdBy'
  | 'createdAt'
>;

/** The provider's result for an enhancement. */
export type MadeEnhancement = Pick<
  EnhancementEntity,
  'id' | 'suggestions' | 'notes' | 'engine' | 'updatedAt'
>;

/** Enhancements, and documents that are due for automatic enhancement, in PostgreSQL. */
@Injectable()
export class EnhancementsRepository {
  constructor(private readonly database: Database) {}

  list(
    accountId: string,
    documentId: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EnhancementHead>> {
    return readPage(this.database, { ...LISTING, values: [documentId] }, accountId, request);
  }

  async find(accountId: string, documentId: string, id: string): Promise<Enhancement | undefined> {
    const [row] = await this.database.run<Enhancement>(FIND, [accountId, documentId, id]);
    return row;
  }

  /** Returns the enhancement and locks it until the transaction ends. */
  async lock(accountId: string, documentId: string, id: string): Promise<Enhancement | undefined> {
    await this.database.run(LOCK, [accountId, documentId, id]);
    return this.find(accountId, documentId, id);
  }

  /** Returns the enhancements with these UUIDs, from all accounts. */
  progress(ids: readonly string[]): Promise<EnhancementHead[]> {
    return this.database.run<EnhancementHead>(PROGRESS, [ids]);
  }

  async insert(made: NewEnhancement): Promise<void> {
    await this.database.run(INSERT, [
      made.accountId,
      made.documentId,
      made.id,
      made.jobId,
      made.baseVersion,
      made.automatic,
      JSON.stringify(made.goals),
      made.instructions,
      JSON.stringify(made.settings),
      JSON.stringify(countsOf([])),
      JSON.stringify(made.engine),
      made.createdBy,
      made.createdAt,
    ]);
  }

  /** Stores the result of a pending enhancement. Returns false if it is no longer pending. */
  async fill({ id, suggestions, notes, engine, updatedAt }: MadeEnhancement): Promise<boolean> {
    const rows = await this.database.run(FILL, [
      id,
      ...suggestionColumns(suggestions),
      JSON.stringify(notes),
      JSON.stringify(engine),
      updatedAt,
    ]);
    return rows.length > 0;
  }

  /** Stores reviewed changes. The ranges of suggestions refer to the content of `textVersion`. */
  async decide(
    id: string,
    { suggestions, fieldChanges, textVersion }: Reviewed,
    at: Date,
  ): Promise<void> {
    const columns = suggestionColumns(suggestions, fieldChanges);
    const isOpen = countsOf([...suggestions, ...fieldChanges]).open > 0;
    const values = [id, ...columns, textVersion, at, JSON.stringify(fieldChanges), isOpen];
    await this.database.run(DECIDE, values);
  }

  async removePending(id: string): Promise<void> {
    await this.database.run(REMOVE_PENDING, [id]);
  }

  /** Returns pending automatic enhancements whose document has changed since. */
  outdated(): Promise<{ id: string; jobId: string }[]> {
    return this.database.run(OUTDATED, []);
  }

  /** Returns documents that are due for automatic enhancement and unchanged since `quietSince`. */
  due(quietSince: Date): Promise<DueDocument[]> {
    return this.database.run(DUE, [quietSince]);
  }

  /** Returns false if another worker handled the document, or if it has changed again. */
  async removeDue({ documentId, changedAt }: DueDocument): Promise<boolean> {
    return (await this.database.run(REMOVE_DUE, [documentId, changedAt])).length > 0;
  }

  /** Makes the document due again after another quiet period. */
  async postponeDue({ documentId, changedAt }: DueDocument, now: Date): Promise<void> {
    await this.database.run(POSTPONE_DUE, [documentId, changedAt, now]);
  }
}

/** Returns the column values of status, suggestions and counts. */
function suggestionColumns(
  suggestions: readonly Suggestion[],
  fieldChanges: readonly FieldChange[] = [],
): [string, string, string] {
  const counts: SuggestionCounts = countsOf([...suggestions, ...fieldChanges]);
  return [statusOf(counts), JSON.stringify(suggestions), JSON.stringify(counts)];
}
