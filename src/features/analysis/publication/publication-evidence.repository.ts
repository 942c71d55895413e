import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';

const DISMISSED: Statement = {
  name: 'publication-evidence.dismissed',
  text: `SELECT document_id AS id, array_agg(fingerprint ORDER BY fingerprint) AS dismissed FROM dismissals
          WHERE account_id = $1 AND document_id = ANY ($2::uuid[]) GROUP BY document_id`,
};

/**
 * The newest analysis with the hash `$5` of a version from `$3` to `$4` of each document `$2`, and the number of open
 * suggestions for these versions.
 */
const EVIDENCE: Statement = {
  name: 'publication-evidence.find',
  text: `SELECT wanted.id, found.id AS "analysisId", found.overall,
                found.result -> 'scores' -> 'basis' ->> 'correctness' AS correctness,
                found.result -> 'scores' -> 'basis' ->> 'clarity' AS clarity,
                coalesce((found.result ->> 'issuesOmitted')::integer, 0) + (
                  SELECT count(*) FROM json_array_elements(found.result -> 'issues') AS issue
                   WHERE issue ->> 'severity' = 'error' AND issue ->> 'status' IS DISTINCT FROM 'rejected')::integer AS errors,
                (SELECT coalesce(sum((item.counts ->> 'open')::integer), 0)::integer FROM enhancements AS item
                  WHERE item.account_id = $1 AND item.document_id = wanted.id
                    AND item.text_version BETWEEN wanted.first AND wanted.last) AS "openSuggestions"
           FROM unnest($2::uuid[], $3::integer[], $4::integer[], $5::text[]) AS wanted (id, first, last, hash)
           LEFT JOIN LATERAL (
             SELECT id, overall, result FROM analyses
              WHERE account_id = $1 AND document_id = wanted.id AND settings_hash = wanted.hash
                AND document_version BETWEEN wanted.first AND wanted.last
              ORDER BY document_version DESC LIMIT 1) AS found ON true`,
};

/** The versions of a document with the same text, and the hash of what else decides what its analysis finds. */
export interface WantedEvidence {
  /** UUID of the document. */
  id: string;
  first: number;
  last: number;
  hash: string;
}

/** What is known about a text. */
export interface Evidence {
  /** UUID. Null if there is no such analysis. */
  analysisId: string | null;
  /** Null if nothing was scored. */
  overall: number | null;
  /** What the scores are based on, see `ScoreBasis`. */
  correctness: string | null;
  clarity: string | null;
  /** Issues that the analysis does not list are among them. */
  errors: number;
  openSuggestions: number;
}

/** Reads what publication rules are about, for several documents of an account at once. */
@Injectable()
export class PublicationEvidenceRepository {
  constructor(private readonly database: Database) {}

  /** Returns the IDs of dismissed issues, in the order of `AnalysisRepository.dismissed`, by document. */
  async dismissed(accountId: string, ids: readonly string[]): Promise<Map<string, string[]>> {
    const values = [accountId, ids];
    const rows = await this.database.run<{ id: string; dismissed: string[] }>(DISMISSED, values);
    return new Map(rows.map(({ id, dismissed }) => [id, dismissed]));
  }

  /** Returns what is known about each text, by document. */
  async find(accountId: string, wanted: readonly WantedEvidence[]): Promise<Map<string, Evidence>> {
    const columns = (['id', 'first', 'last', 'hash'] as const).map((name) =>
      wanted.map((one) => one[name]),
    );
    const values = [accountId, ...columns];
    const rows = await this.database.run<Evidence & { id: string }>(EVIDENCE, values);
    return new Map(rows.map(({ id, ...evidence }) => [id, evidence]));
  }
}
