import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';

/** How many analyses of a document are kept. */
const MAX_KEPT = 100;

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

/** What the next analysis of the document need not look at again. */
const KEPT: Statement = {
  name: 'analyses.kept-paragraphs',
  text: `SELECT paragraphs::text AS paragraphs FROM analyses
          WHERE account_id = $1 AND document_id = $2 AND paragraphs IS NOT NULL
          ORDER BY created_at DESC, id DESC LIMIT 1`,
};

const DISMISSED: Statement = {
  name: 'analyses.dismissed',
  text: `SELECT fingerprint FROM dismissals WHERE account_id = $1 AND document_id = $2 ORDER BY fingerprint`,
};

/** Of a document that two workers analysed at once the first one counts. */
const INSERT: Statement = {
  name: 'analyses.insert',
  text: `WITH older AS (
      UPDATE analyses SET paragraphs = NULL
       WHERE account_id = $2 AND document_id = $3 AND paragraphs IS NOT NULL
    ), surplus AS (
      DELETE FROM analyses WHERE id IN (
        SELECT id FROM analyses WHERE account_id = $2 AND document_id = $3
         ORDER BY created_at DESC, id DESC OFFSET ${String(MAX_KEPT - 1)})
    )
    INSERT INTO analyses (id, account_id, document_id, document_version, settings_hash, overall, result, paragraphs,
                          created_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7::json, $8::json, $9, $10)
    ON CONFLICT (document_id, document_version, settings_hash) DO NOTHING RETURNING id`,
};

/** The overall score of the newest analysis of an earlier version. */
const SCORE_BEFORE: Statement = {
  name: 'analyses.score-before',
  text: `SELECT overall, document_version AS "documentVersion" FROM analyses
          WHERE account_id = $1 AND document_id = $2 AND document_version < $3 AND overall IS NOT NULL
          ORDER BY document_version DESC, created_at DESC LIMIT 1`,
};

/** An analysis as answers show it. Ids are UUIDs. */
export interface StoredAnalysis {
  id: string;
  documentId: string;
  documentVersion: number;
  /** JSON text of an `AnalysisResult`. */
  result: string;
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

/** Analyses in PostgreSQL; results stay JSON text on the way in and out. Throws only what PostgreSQL says. */
@Injectable()
export class AnalysisRepository {
  constructor(private readonly database: Database) {}

  async find(
    accountId: string,
    documentId: string,
    id: string,
  ): Promise<StoredAnalysis | undefined> {
    const [row] = await this.database.run<StoredAnalysis>(FIND, [accountId, documentId, id]);
    return row;
  }

  /** The analysis of this version under the same settings. */
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

  /** JSON text of what the document's newest analysis found in each paragraph. */
  async keptParagraphs(accountId: string, documentId: string): Promise<string | null> {
    const [row] = await this.database.run<{ paragraphs: string }>(KEPT, [accountId, documentId]);
    return row?.paragraphs ?? null;
  }

  /** Ids of the issues that were dismissed in this document. */
  async dismissed(accountId: string, documentId: string): Promise<string[]> {
    const values = [accountId, documentId];
    const rows = await this.database.run<{ fingerprint: string }>(DISMISSED, values);
    return rows.map(({ fingerprint }) => fingerprint);
  }

  /** Whether it was written; false when the same analysis was there already. */
  async insert(analysis: NewAnalysis): Promise<boolean> {
    const rows = await this.database.run(INSERT, [
      analysis.id,
      analysis.accountId,
      analysis.documentId,
      analysis.documentVersion,
      analysis.settingsHash,
      analysis.overall,
      analysis.result,
      analysis.paragraphs,
      analysis.createdBy,
      analysis.createdAt,
    ]);
    return rows.length > 0;
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
