import type { ClientBase } from 'pg';
import { REDACTED } from '../../../platform/basics/redact-secrets.js';
import type { BackedUpTable } from './backup-format.js';

/** Settings that make the text format of COPY independent of role and database. No statement has a time limit. */
const SESSION = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL client_encoding = 'UTF8';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 3`;

/** Tables whose old rows are dropped by partition, as SQL. */
export const PARTITIONED = 'events, webhook_deliveries, webhook_delivery_attempts, request_log';

/** Runs `work` in a transaction with fixed text formats. */
export async function inTransaction<Result>(
  client: ClientBase,
  mode: 'READ ONLY' | 'READ WRITE',
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ ${mode}`);
  try {
    await client.query(SESSION);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // If the connection failed, closing it later also rolls back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Returns the tables of the service with their stored columns, referenced tables first. Skips `migrations`, which the
 * manifest describes, and unlogged tables, such as the windows of rate limits.
 */
export async function serviceTables(client: ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable & { refersTo: string[] }>(`
    SELECT relname AS name,
           ARRAY(SELECT attname::text FROM pg_attribute
                  WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                  ORDER BY attnum) AS columns,
           ARRAY(SELECT DISTINCT target.relname::text
                   FROM pg_constraint JOIN pg_class AS target ON target.oid = confrelid
                  WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS "refersTo"
      FROM pg_class
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND relpersistence = 'p'
       AND relnamespace = current_schema()::regnamespace AND relname <> 'migrations'
     ORDER BY relname`);
  const ordered = new Map<string, BackedUpTable>();
  const visit = ({ name, columns, refersTo }: (typeof rows)[number]) => {
    if (ordered.has(name)) return;
    for (const row of rows) if (refersTo.includes(row.name)) visit(row);
    ordered.set(name, { name, columns });
  };
  rows.forEach(visit);
  return [...ordered.values()];
}

/** Returns a table and its columns in the syntax of COPY. */
export const copyTarget = ({ name, columns }: BackedUpTable) =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`;

/**
 * Returns the source of COPY for a table. A backup excludes test receivers and removes the token from webhook URLs: the
 * receivers last one day, and anyone who knows the token can send to them.
 */
export function copySource(table: BackedUpTable): string {
  const { name, columns } = table;
  const selected = columns.map((column) =>
    name === 'webhooks' && column === 'url'
      ? `regexp_replace(url, '(/dashboard/receivers/)[^/?#]+', '\\1${REDACTED}')`
      : quoted(column),
  );
  const condition = NOT_BACKED_UP.has(name) ? ' WHERE false' : '';
  return `(SELECT ${selected.join(', ')} FROM ${quoted(name)}${condition})`;
}

const NOT_BACKED_UP = new Set(['test_receivers', 'received_deliveries']);

/** Quotes a name that comes from the catalog or was compared with it. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
