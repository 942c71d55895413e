import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { Quota } from './plan-quotas.js';

/** Documents and their bytes, including those in the trash. When counted, the bytes include uploads. */
export interface DocumentClaim {
  documents: number;
  bytes: number;
}

/** An account's use of all quotas. The trash is included, and also counted separately. */
export type Used = Record<Quota, number> & { trashedDocuments: number; trashedBytes: number };

/**
 * Queries for rows that people create by hand. There are so few that they are counted on demand. `$1` is the account,
 * `$2` the time. Keys of connected apps are not counted. The successor of a rotated key takes its place, and a pending
 * invitation reserves a place.
 */
const COUNTS = {
  webhooks: 'SELECT count(*) FROM webhooks WHERE account_id = $1',
  keys: `SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL AND replaced_by IS NULL AND client IS NULL
            AND (expires_at IS NULL OR expires_at > $2)`,
  members: `SELECT (SELECT count(*) FROM members JOIN users ON users.id = user_id
                  WHERE account_id = $1 AND kind = 'person')
                 + (SELECT count(*) FROM one_time_links WHERE account_id = $1 AND purpose = 'invitation'
                       AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2)`,
} as const satisfies Partial<Record<Quota, string>>;
export type CountedQuota = keyof typeof COUNTS;

/** Columns of `analysis_usage`. */
const DAILY = {
  analysesPerDay: 'analyses',
  modelTokensPerDay: 'tokens',
  checkCharactersPerDay: 'check_characters',
} as const satisfies Partial<Record<Quota, string>>;
export type DailyQuota = keyof typeof DAILY;

const TODAY = `($2::timestamptz AT TIME ZONE 'UTC')::date`;

/** Locks the documents of the account until the transaction ends, then counts them. */
const LOCK_DOCUMENTS: Statement = {
  name: 'usage.lock-documents',
  text: `SELECT used[1]::float8 AS documents, used[2]::float8 AS bytes
           FROM hold_document_quota($1::uuid) AS used`,
};

/** Each quota has its own lock, so that a long import does not block creating keys. */
const LOCK_ROWS: Statement = {
  name: 'usage.lock-rows',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($2::text, quota_lock($1::uuid)))',
};

const READ_DOCUMENTS: Statement = {
  name: 'usage.read-documents',
  text: `SELECT coalesce(sum(count), 0)::float8 AS documents, coalesce(sum(bytes), 0)::float8 AS bytes
           FROM row_counts WHERE account_id = $1 AND kind IN ('documents', 'documents.deleted')`,
};

const READ: Statement = {
  name: 'usage.read',
  text: `SELECT documents.rows AS "documents", documents.trashed AS "trashedDocuments",
                documents.bytes + (SELECT coalesce(sum(stored_bytes), 0)::float8 FROM stored_files
                  WHERE account_id = $1 AND is_upload AND expires_at > now()) AS "storageBytes", documents.trashed_bytes AS "trashedBytes",
                (${COUNTS.webhooks})::integer AS "webhooks", (${COUNTS.keys})::integer AS "keys",
                (${COUNTS.members})::integer AS "members", coalesce(today.analyses, 0) AS "analysesPerDay",
                coalesce(today.tokens, 0)::float8 AS "modelTokensPerDay",
                coalesce(today.check_characters, 0)::float8 AS "checkCharactersPerDay"
           FROM (SELECT coalesce(sum(count), 0)::float8 AS rows, coalesce(sum(bytes), 0)::float8 AS bytes,
                        coalesce(sum(count) FILTER (WHERE kind = 'documents.deleted'), 0)::float8 AS trashed,
                        coalesce(sum(bytes) FILTER (WHERE kind = 'documents.deleted'), 0)::float8 AS trashed_bytes
                   FROM row_counts
                  WHERE account_id = $1 AND kind IN ('documents', 'documents.deleted')) AS documents
           LEFT JOIN analysis_usage AS today ON today.account_id = $1 AND today.day = ${TODAY}`,
};

/** Locks and counts what quotas limit. */
@Injectable()
export class QuotasRepository {
  constructor(private readonly database: Database) {}

  /** Returns the use of all quotas, from one snapshot. */
  async read(accountId: string, now: Date): Promise<Used> {
    const [used] = await this.database.run<Used>(READ, [accountId, now]);
    if (!used) throw new Error('An aggregate returned no row.');
    return used;
  }

  /** Counts the documents of the account without a lock, so others may add some at the same time. */
  async readDocuments(accountId: string): Promise<DocumentClaim> {
    const [used] = await this.database.run<DocumentClaim>(READ_DOCUMENTS, [accountId]);
    return used ?? { documents: 0, bytes: 0 };
  }

  /** Locks the documents of the account until the transaction ends, and counts them. */
  async lockDocuments(accountId: string): Promise<DocumentClaim> {
    const [used] = await this.database.run<DocumentClaim>(LOCK_DOCUMENTS, [accountId]);
    return used ?? { documents: 0, bytes: 0 };
  }

  /** Locks a quota of the account until the transaction ends, and counts its rows. */
  async lockRows(accountId: string, quota: CountedQuota, now: Date): Promise<number> {
    await this.database.run(LOCK_ROWS, [accountId, quota]);
    // The cast gives $2 a type in counts that do not use it.
    const text = `SELECT (${COUNTS[quota]})::integer AS used, $2::timestamptz AS at`;
    return this.used({ name: `usage.count-${quota}`, text }, [accountId, now]);
  }

  /** Adds `more` to today's use and returns the sum. If that would exceed `limit`, changes nothing, returns `undefined`. */
  async addToday(
    accountId: string,
    quota: DailyQuota,
    now: Date,
    { more, limit }: { more: number; limit: number | null },
  ): Promise<number | undefined> {
    const column = DAILY[quota];
    const text = `INSERT INTO analysis_usage AS today (account_id, day, ${column})
      SELECT $1, ${TODAY}, greatest($3::bigint, 0) WHERE $4::bigint IS NULL OR $3::bigint <= $4::bigint
      ON CONFLICT (account_id, day) DO UPDATE SET ${column} = greatest(today.${column} + $3::bigint, 0)
       WHERE $4::bigint IS NULL OR $3::bigint <= 0 OR today.${column} + $3::bigint <= $4::bigint
      RETURNING ${column}::float8 AS used`;
    const values = [accountId, now, more, limit];
    const statement = { name: `usage.add-today-${quota}`, text };
    return (await this.database.run<{ used: number }>(statement, values))[0]?.used;
  }

  async readToday(accountId: string, quota: DailyQuota, now: Date): Promise<number> {
    const text = `SELECT ${DAILY[quota]}::float8 AS used FROM analysis_usage WHERE account_id = $1 AND day = ${TODAY}`;
    return this.used({ name: `usage.read-today-${quota}`, text }, [accountId, now]);
  }

  private async used(statement: Statement, values: unknown[]): Promise<number> {
    const [row] = await this.database.run<{ used: number }>(statement, values);
    return row?.used ?? 0;
  }
}
