import { Injectable } from '@nestjs/common';
import { invalidFields } from '../../../platform/basics/errors/app-error.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import {
  BY_CREATION,
  type CreationSort,
} from '../../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  type Page,
  type PageRequest,
} from '../../../platform/http/pagination/read-page.js';

/** Number of analyses stored for each document. */
const MAX_STORED = 100;

/** Maximum size of all results on one page, in UTF-8 bytes. One result can have more than 1 MiB. */
const MAX_PAGE_BYTES = 8 * 1024 ** 2;

const OF_DOCUMENT = 'item.account_id = $1 AND item.document_id = $2';
const LISTING = {
  name: 'analyses',
  table: 'analyses',
  where: OF_DOCUMENT,
  total: `SELECT count(*) AS n FROM analyses AS item WHERE ${OF_DOCUMENT}`,
  columns: `item.id, item.document_id AS "documentId", item.document_version AS "documentVersion",
            item.created_at AS "createdAt",
            CASE WHEN sum(octet_length(item.result::text)) OVER () <= ${String(MAX_PAGE_BYTES)}
              THEN item.result::text END AS result`,
  sorts: BY_CREATION,
};

/** Selects the newest analysis of each version. */
const NEWEST = `${OF_DOCUMENT} AND NOT EXISTS (
  SELECT FROM analyses AS newer
   WHERE newer.document_id = item.document_id AND newer.document_version = item.document_version
     AND (newer.created_at, newer.id) > (item.created_at, item.id))`;
/** Sorts by version, which is also chronological order. */
const BY_VERSION = { column: 'document_version', type: 'integer' as const };
const QUALITY_LISTING = {
  name: 'analyses.quality',
  table: 'analyses',
  where: NEWEST,
  total: `SELECT count(*) AS n FROM analyses AS item WHERE ${NEWEST}`,
  columns: `item.id, item.document_version AS version, (item.result -> 'scores')::text AS scores,
            item.created_at AS "createdAt"`,
  sorts: { created_at: BY_VERSION, updated_at: BY_VERSION },
};

const COLUMNS = `id, document_id AS "documentId", document_version AS "documentVersion", result::text AS result,
  created_at AS "createdAt"`;

const FIND: Statement = {
  name: 'analyses.find',
  text: `SELECT ${COLUMNS} FROM analyses WHERE id = $3 AND document_id = $2 AND account_id = $1`,
};

const FIND_SAME: Statement = {
  name: 'analyses.find-same',
  text: `SELECT ${COLUMNS} FROM analyses
          WHERE account_id = $1 AND document_id = $2 AND document_version = $3 AND settings_hash = $4`,
};

/** Reads the paragraphs that the next analysis of the document can reuse. */
const PARAGRAPHS: Statement = {
  name: 'analyses.paragraphs',
  text: `SELECT paragraphs::text AS paragraphs FROM analyses
          WHERE account_id = $1 AND document_id = $2 AND paragraphs IS NOT NULL
          ORDER BY created_at DESC, id DESC LIMIT 1`,
};

const DISMISSED: Statement = {
  name: 'analyses.dismissed',
  text: `SELECT fingerprint FROM dismissals WHERE account_id = $1 AND document_id = $2 ORDER BY fingerprint`,
};

/** If two workers analyze a version at the same time, only the first result is stored. */
const INSERT: Statement = {
  name: 'analyses.insert',
  text: `WITH older AS (
      UPDATE analyses SET paragraphs = NULL
       WHERE account_id = $2 AND document_id = $3 AND paragraphs IS NOT NULL
    ), surplus AS (
      DELETE FROM analyses WHERE id IN (
        SELECT id FROM analyses WHERE account_id = $2 AND document_id = $3
         ORDER BY created_at DESC, id DESC OFFSET ${String(MAX_STORED - 1)})
    )
    INSERT INTO analyses (id, account_id, document_id, document_version, settings_hash, overall, result, paragraphs,
                          created_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::json, $8::json, $9, $10)
    ON CONFLICT (document_id, document_version, settings_hash) DO NOTHING RETURNING id`,
};

/** Reads the overall score of the newest analysis of an earlier version. */
const SCORE_BEFORE: Statement = {
  name: 'analyses.score-before',
  text: `SELECT overall, document_version AS "documentVersion" FROM analyses
          WHERE account_id = $1 AND document_id = $2 AND document_version < $3 AND overall IS NOT NULL
          ORDER BY document_version DESC, created_at DESC LIMIT 1`,
};

/** An analysis as API responses show it. Ids are UUIDs. */
export interface StoredAnalysis {
  id: string;
  documentId: string;
  documentVersion: number;
  /** JSON text of an `AnalysisResult`. */
  result: string;
  createdAt: Date;
}

type Nullable<Row, Name extends keyof Row> = Omit<Row, Name> & { [Key in Name]: Row[Key] | null };

function withResult({ result, ...row }: Nullable<StoredAnalysis, 'result'>): StoredAnalysis {
  if (result !== null) return { ...row, result };
  const issue = 'makes this page larger than 8 MiB; lower it, or read the analyses individually';
  throw invalidFields([{ field: 'limit', issue }]);
}

/** Scores of the newest analysis of a version. */
export interface VersionQuality {
  id: string;
  version: number;
  /** JSON text. */
  scores: string;
  createdAt: Date;
}

export interface NewAnalysis extends StoredAnalysis {
  accountId: string;
  settingsHash: string;
  overall: number | null;
  /** JSON text. */
  paragraphs: string;
  createdBy: string;
}

/** Analyses in PostgreSQL. Results are read and written as JSON text. */
@Injectable()
export class AnalysisRepository {
  constructor(private readonly database: Database) {}

  /** Returns one page, newest first. Throws `bad_request` if its results have more than 8 MiB. */
  async list(
    accountId: string,
    documentId: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<StoredAnalysis>> {
    const listing = { ...LISTING, values: [documentId] };
    const page = await readPage<Nullable<StoredAnalysis, 'result'>, CreationSort>(
      this.database,
      listing,
      accountId,
      request,
    );
    return { ...page, rows: page.rows.map(withResult) };
  }

  /** Returns one page of scores, one row for each analyzed version. */
  quality(
    accountId: string,
    documentId: string,
    request: PageRequest<CreationSort>,
  ): Promise<Page<VersionQuality>> {
    const listing = { ...QUALITY_LISTING, values: [documentId] };
    return readPage(this.database, listing, accountId, request);
  }

  async find(
    accountId: string,
    documentId: string,
    id: string,
  ): Promise<StoredAnalysis | undefined> {
    const [row] = await this.database.run<StoredAnalysis>(FIND, [accountId, documentId, id]);
    return row;
  }

  /** Returns the analysis of this version with the same settings. */
  async findSame(
    accountId: string,
    documentId: string,
    version: number,
    settingsHash: string,
  ): Promise<StoredAnalysis | undefined> {
    const values = [accountId, documentId, version, settingsHash];
    const [row] = await this.database.run<StoredAnalysis>(FIND_SAME, values);
    return row;
  }

  /** Returns the findings of the document's newest analysis by paragraph, as JSON text. */
  async reusableParagraphs(accountId: string, documentId: string): Promise<string | null> {
    const values = [accountId, documentId];
    const [row] = await this.database.run<{ paragraphs: string }>(PARAGRAPHS, values);
    return row?.paragraphs ?? null;
  }

  /** Returns the ids of the dismissed issues of the document. */
  async dismissed(accountId: string, documentId: string): Promise<string[]> {
    const values = [accountId, documentId];
    const rows = await this.database.run<{ fingerprint: string }>(DISMISSED, values);
    return rows.map(({ fingerprint }) => fingerprint);
  }

  /** Returns false if the same analysis is already stored. */
  async insert(analysis: NewAnalysis): Promise<boolean> {
    const { id, accountId, documentId, documentVersion, settingsHash, overall } = analysis;
    const { result, paragraphs, createdBy, createdAt } = analysis;
    const target = [id, accountId, documentId, documentVersion, settingsHash];
    const values = [...target, overall, result, paragraphs, createdBy, createdAt];
    return (await this.database.run(INSERT, values)).length > 0;
  }

  async scoreBefore(
    accountId: string,
    documentId: string,
    version: number,
  ): Promise<{ overall: number; documentVersion: number } | undefined> {
    const values = [accountId, documentId, version];
    const [row] = await this.database.run<{ overall: number; documentVersion: number }>(
      SCORE_BEFORE,
      values,
    );
    return row;
  }
}
