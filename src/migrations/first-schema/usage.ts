import type { SchemaArea } from './schema-area.js';

/** What counts the use of a quota exactly, however many use it at once (docs/adr/0008-rate-limits-and-quotas.md). */
export const USAGE: SchemaArea = {
  up: `
-- The key of an account's advisory lock, for its documents; with another text hashed over it, for its other quotas.
CREATE FUNCTION quota_lock(account_id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(account_id::text, 1760000008)
$$;

-- Takes the lock of an account until the transaction ends and returns how many documents the account has, the trash
-- included, and how many bytes. Waits for three seconds, with a connection in hand. A volatile function takes a fresh
-- snapshot for each of its statements: what the holder before has committed is counted.
CREATE FUNCTION hold_document_quota(account uuid) RETURNS bigint[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  timeout_before text := current_setting('lock_timeout');
BEGIN
  PERFORM set_config('lock_timeout', '3000', true);
  PERFORM pg_advisory_xact_lock(quota_lock(account));
  PERFORM set_config('lock_timeout', timeout_before, true);
  RETURN (SELECT ARRAY[coalesce(sum(count), 0)::bigint, coalesce(sum(bytes), 0)::bigint]
            FROM row_counts WHERE account_id = account AND kind IN ('documents', 'documents.deleted'));
END
$$;
`,
  down: `
DROP FUNCTION hold_document_quota(uuid), quota_lock(uuid);
`,
};
