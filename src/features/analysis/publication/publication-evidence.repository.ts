import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';

const DISMISSED: Statement = {
  name: 'publication-evidence.dismissed',
  text: `SELECT document_id AS id, array_agg(fingerprint ORDER BY fingerprint) AS dismissed FROM dismissals
          WHERE account_id = $1 AND document_id = ANY ($2::uuid[]) GROUP BY document_id`,
};

/** The newest analysis with the hash `$5` of a version from `$3` to `$4` of each document `$2`. */
const ANALYSES: Statement = {
  name: 'publication-evidence.analyses',
  text: `SELECT wanted.id, found.id AS "analysisId", found.overall,
                found.result -> 'scores' -> 'basis' ->> 'correctness' AS correctness,
                found.result -> 'scores' -> 'basis' ->> 'clarity' AS clarity,
                coalesce((found.result ->> 'issuesOmitted')::integer, 0) + (
                  SELECT count(*) FROM json_array_elements(found.result -> 'issues') AS issue
                   WHERE issue ->> 'severity' = 'error' AND issue ->> 'status' IS DISTINCT FROM 'rejected')::integer AS errors
           FROM unnest($2::uuid[], $3::integer[], $4::integer[], $5::text[]) AS wanted (id, first, last, hash)
          CROSS JOIN LATERAL (
            SELECT id, overall, result FROM analyses
             WHERE account_id = $1 AND document_id = wanted.id AND settings_hash = wanted.hash
               AND document_version BETWEEN wanted.first AND wanted.last
             ORDER BY document_version DESC LIMIT 1) AS found`,
};

/** Counts open suggestions that refer to a version from `$3` to `$4` of each document `$2`. */
const OPEN_SUGGESTIONS: Statement = {
  name: 'publication-evidence.open-suggestions',
  text: `SELECT wanted.id, sum((item.counts ->> 'open')::integer)::integer AS open
           FROM unnest($2::uuid[], $3::integer[], $4::integer[]) AS wanted (id, first, last)
           JOIN enhancements AS item ON item.account_id = $1 AND item.document_id = wanted.id
            AND item.text_version BETWEEN wanted.first AND wanted.last
          GROUP BY wanted.id`,
};

/** The versions of a document with the same text. IDs are UUIDs. */
export interface WantedText {
  id: string;
  first: number;
  last: number;
}

/** A text, and the hash of what else decides what its analysis finds. */
export interface WantedAnalysis extends WantedText {
  hash: string;
}

/** What the analysis of a text found. */
export interface FoundAnalysis {
  analysisId: string;
  /** Null if nothing was scored. */
  overall: number | null;
  /** What the score is based on, see `ScoreBasis`. */
  correctness: string | null;
  clarity: string | null;
  /** Issues that the analysis does not list are among them. */
  errors: number;
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

  /** Returns the newest analysis of each text, by document. */
  async analyses(
    accountId: string,
    wanted: readonly WantedAnalysis[],
  ): Promise<Map<string, FoundAnalysis>> {
    const values = [accountId, ...rangesOf(wanted), wanted.map(({ hash }) => hash)];
    const rows = await this.database.run<FoundAnalysis & { id: string }>(ANALYSES, values);
    return new Map(rows.map(({ id, ...found }) => [id, found]));
  }

  /** Returns the number of open suggestions of each text, by document. */
  async openSuggestions(
    accountId: string,
    wanted: readonly WantedText[],
  ): Promise<Map<string, number>> {
    const values = [accountId, ...rangesOf(wanted)];
    const rows = await this.database.run<{ id: string; open: number }>(OPEN_SUGGESTIONS, values);
    return new Map(rows.map(({ id, open }) => [id, open]));
  }
}

function rangesOf(wanted: readonly WantedText[]) {
  return [
    wanted.map(({ id }) => id),
    wanted.map(({ first }) => first),
    wanted.map(({ last }) => last),
  ];
}
