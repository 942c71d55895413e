import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { JobError, JobStatus } from '../../jobs/job-state.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/creation-order.dto.js';
import {
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';
import type { EnhancementEntity } from './enhancement.entity.js';
import { countsOf, statusOf, type Suggestion, type SuggestionCounts } from './enhancement.js';

/** How many enhancements of a document are kept. */
const MAX_KEPT = 100;

const HEAD = `item.id, item.document_id AS "documentId", item.base_version AS "baseVersion",
  item.text_version AS "textVersion", item.status, item.job_id AS "jobId", item.automatic, item.goals::jsonb,
  item.instructions, item.settings::jsonb, item.counts::jsonb, item.notes::jsonb, item.engine::jsonb,
  item.created_at AS "createdAt", item.updated_at AS "updatedAt", author.id AS "authorId", author.name AS "authorName",
  author.email AS "authorEmail", job.status AS "jobStatus", job.error::jsonb AS "jobError", job.done::float8 AS done,
  job.total::float8 AS total`;
const JOINS = `CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS author
  LEFT JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = item.job_id LIMIT 1) AS job ON true`;
const OF_DOCUMENT = 'item.account_id = $1 AND item.document_id = $2';

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
  text: `SELECT ${HEAD}, item.suggestions::jsonb FROM enhancements AS item ${JOINS} WHERE ${OF_DOCUMENT} AND item.id = $3`,
};

/** What streams ask, of several at once. */
const PROGRESS: Statement = {
  name: 'enhancements.progress',
  text: `SELECT ${HEAD} FROM enhancements AS item ${JOINS} WHERE item.id = ANY ($1::uuid[])`,
};

const LOCK: Statement = {
  name: 'enhancements.lock',
  text: `SELECT id FROM enhancements AS item WHERE ${OF_DOCUMENT} AND id = $3 FOR UPDATE`,
};

/**
 * The oldest go; one that is being made stays. The document is locked first: who removes it waits for that, and removes its
 * enhancements after.
 */
const INSERT: Statement = {
  name: 'enhancements.insert',
  text: `WITH document AS MATERIALIZED (
      SELECT id FROM documents WHERE id = $2 FOR KEY SHARE
    ), surplus AS (
      DELETE FROM enhancements WHERE EXISTS (SELECT FROM document) AND status <> 'pending' AND id IN (
        SELECT id FROM enhancements AS item WHERE ${OF_DOCUMENT}
         ORDER BY created_at DESC, id DESC OFFSET ${String(MAX_KEPT - 1)})
    )
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
  text: `UPDATE enhancements SET status = $2, suggestions = $3::json, counts = $4::json, text_version = $5, updated_at = $6
          WHERE id = $1`,
};

const REMOVE_PENDING: Statement = {
  name: 'enhancements.remove-pending',
  text: `DELETE FROM enhancements WHERE id = $1 AND status = 'pending'`,
};

type Kept = Pick<
  EnhancementEntity,
  | 'id'
  | 'documentId'
  | 'baseVersion'
  | 'textVersion'
  | 'status'
  | 'jobId'
  | 'automatic'
  | 'goals'
  | 'instructions'
  | 'settings'
  | 'counts'
  | 'notes'
  | 'engine'
  | 'createdAt'
  | 'updatedAt'
>;

/** An enhancement as lists show it, with its job, whose fields are null when that is gone. Ids are UUIDs. */
export interface EnhancementHead extends Kept {
  authorId: string;
  authorName: string;
  authorEmail: string;
  jobStatus: JobStatus | null;
  jobError: JobError | null;
  done: number | null;
  total: number | null;
}

export interface Enhancement extends EnhancementHead {
  suggestions: Suggestion[];
}

export type NewEnhancement = Pick<
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

/** What a provider has made of an enhancement. */
export type MadeEnhancement = Pick<
  EnhancementEntity,
  'id' | 'suggestions' | 'notes' | 'engine' | 'updatedAt'
>;

/** Enhancements in PostgreSQL. Throws only what PostgreSQL says. */
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

  /** The same for a change: nobody else changes it until the transaction ends. */
  async lock(accountId: string, documentId: string, id: string): Promise<Enhancement | undefined> {
    await this.database.run(LOCK, [accountId, documentId, id]);
    return this.find(accountId, documentId, id);
  }

  /** Those of the UUIDs that are there, of whatever account. */
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

  /** Whether it was still to be made. */
  async fill({ id, suggestions, notes, engine, updatedAt }: MadeEnhancement): Promise<boolean> {
    const rows = await this.database.run(FILL, [
      id,
      ...written(suggestions),
      JSON.stringify(notes),
      JSON.stringify(engine),
      updatedAt,
    ]);
    return rows.length > 0;
  }

  /** Writes what has become of the suggestions, whose ranges are in the content of `textVersion`. */
  async decide(
    id: string,
    { suggestions, textVersion }: Pick<Enhancement, 'suggestions' | 'textVersion'>,
    at: Date,
  ): Promise<void> {
    await this.database.run(DECIDE, [id, ...written(suggestions), textVersion, at]);
  }

  /** Of one that is not made yet. */
  async removePending(id: string): Promise<void> {
    await this.database.run(REMOVE_PENDING, [id]);
  }
}

/** The values of status, suggestions and counts. */
function written(suggestions: readonly Suggestion[]): [string, string, string] {
  const counts: SuggestionCounts = countsOf(suggestions);
  return [statusOf(counts), JSON.stringify(suggestions), JSON.stringify(counts)];
}
