import type { Statement } from '../../platform/database/database.js';
import type { Quota } from './plan-quotas.js';

/**
 * Of `$1`, the account, at `$2`, now. A key that a rotation has replaced ends by itself and leaves its place to its
 * successor; an open invitation keeps a place for whoever accepts it.
 */
const COUNTS = {
  webhooks: 'SELECT count(*) FROM webhooks WHERE account_id = $1',
  keys: `SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL AND replaced_by IS NULL
            AND (expires_at IS NULL OR expires_at > $2)`,
  members: `SELECT (SELECT count(*) FROM members WHERE account_id = $1)
                 + (SELECT count(*) FROM one_time_links WHERE account_id = $1 AND purpose = 'invitation'
                       AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2)`,
} as const satisfies Partial<Record<Quota, string>>;

export type CountedQuota = keyof typeof COUNTS;

/** What counts against the quotas of rows that people make by hand: few enough to be counted when they are asked for. */
export const COUNT_ROWS: Readonly<Record<CountedQuota, Statement>> = {
  webhooks: count('webhooks'),
  keys: count('keys'),
  members: count('members'),
};

function count(quota: CountedQuota): Statement {
  // $2 has a type wherever it stands, also where the count does not depend on the time.
  return {
    name: `usage.count-${quota}`,
    text: `SELECT (${COUNTS[quota]})::integer AS used, $2::timestamptz AS at`,
  };
}

/** Everything an account uses, in one snapshot. */
export const USED: Statement = {
  name: 'usage.read',
  text: `SELECT documents.rows AS "documents", documents.trashed AS "trashedDocuments",
                documents.bytes AS "storageBytes", documents.trashed_bytes AS "trashedBytes",
                (${COUNTS.webhooks})::integer AS "webhooks", (${COUNTS.keys})::integer AS "keys",
                (${COUNTS.members})::integer AS "members", coalesce(today.analyses, 0) AS "analysesPerDay",
                coalesce(today.tokens, 0)::float8 AS "modelTokensPerDay"
           FROM (SELECT coalesce(sum(count), 0)::float8 AS rows, coalesce(sum(bytes), 0)::float8 AS bytes,
                        coalesce(sum(count) FILTER (WHERE kind = 'documents.deleted'), 0)::float8 AS trashed,
                        coalesce(sum(bytes) FILTER (WHERE kind = 'documents.deleted'), 0)::float8 AS trashed_bytes
                   FROM row_counts
                  WHERE account_id = $1 AND kind IN ('documents', 'documents.deleted')) AS documents
           LEFT JOIN analysis_usage AS today
             ON today.account_id = $1 AND today.day = ($2::timestamptz AT TIME ZONE 'UTC')::date`,
};

const TODAY = `($2::timestamptz AT TIME ZONE 'UTC')::date`;

/** Columns of `analysis_usage`. */
const DAILY = {
  analysesPerDay: 'analyses',
  modelTokensPerDay: 'tokens',
} as const satisfies Partial<Record<Quota, string>>;
export type DailyQuota = keyof typeof DAILY;

/** Adds `$3` to what the account `$1` has used on the day of `$2`; no row when that would be more than `$4`. */
export const COUNT_TODAY: Readonly<Record<DailyQuota, Statement>> = {
  analysesPerDay: countToday('analysesPerDay'),
  modelTokensPerDay: countToday('modelTokensPerDay'),
};

/** What the account `$1` has used on the day of `$2`. */
export const USED_TODAY: Readonly<Record<DailyQuota, Statement>> = {
  analysesPerDay: usedToday('analysesPerDay'),
  modelTokensPerDay: usedToday('modelTokensPerDay'),
};

function countToday(quota: DailyQuota): Statement {
  const column = DAILY[quota];
  return {
    name: `usage.count-today-${quota}`,
    text: `INSERT INTO analysis_usage AS today (account_id, day, ${column})
           SELECT $1, ${TODAY}, greatest($3::bigint, 0) WHERE $4::bigint IS NULL OR $3::bigint <= $4::bigint
           ON CONFLICT (account_id, day) DO UPDATE SET ${column} = greatest(today.${column} + $3::bigint, 0)
            WHERE $4::bigint IS NULL OR $3::bigint <= 0 OR today.${column} + $3::bigint <= $4::bigint
           RETURNING today.${column}::float8 AS used`,
  };
}

function usedToday(quota: DailyQuota): Statement {
  return {
    name: `usage.used-today-${quota}`,
    text: `SELECT ${DAILY[quota]}::float8 AS used FROM analysis_usage WHERE account_id = $1 AND day = ${TODAY}`,
  };
}
