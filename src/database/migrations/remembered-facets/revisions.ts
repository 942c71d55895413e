const EMPTY_ID = '00000000-0000-0000-0000-000000000000';

/** With more documents that wait, counting them would take longer than what it may save. */
const MOST_WAITING = 2_000;

/**
 * Which content the search index of an account has: another revision after each change, never one that was there
 * before. Every account that is indexed already begins with its own, so that nothing kept from an earlier form of the
 * index is taken for what this one would say.
 */
export const TABLE = [
  `CREATE TABLE search_revisions (
    account_id uuid NOT NULL CONSTRAINT search_revisions_pkey PRIMARY KEY,
    revision uuid NOT NULL
  ) WITH (fillfactor = 50)`,
  // Whoever changes the index comes before this, or waits; writing documents does not.
  'LOCK TABLE search_entries IN SHARE ROW EXCLUSIVE MODE',
  `INSERT INTO search_revisions (account_id, revision)
   SELECT account_id, gen_random_uuid() FROM (SELECT DISTINCT account_id FROM search_blocks) AS indexed`,
];

/** The revision follows the index. */
export const REVISION_FUNCTIONS = [
  // Brings documents of an account up to date. Whatever changes the index of an account does it here, one at a time.
  `CREATE OR REPLACE FUNCTION search_renew(account uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM search_forget(account, ids);
    IF NOT EXISTS (SELECT FROM search_blocks WHERE account_id = account) THEN
      PERFORM search_new_block(account, '-infinity', '${EMPTY_ID}');
    END IF;
    PERFORM search_add(account, ARRAY(
      SELECT id FROM documents WHERE id = ANY (ids) AND account_id = account ORDER BY created_at, id));
    INSERT INTO search_revisions (account_id, revision) VALUES (account, gen_random_uuid())
    ON CONFLICT (account_id) DO UPDATE SET revision = EXCLUDED.revision;
  END
  $$`,
  /**
   * What answers about the documents of an account depend on. Two snapshots with the same state have the same documents
   * and the same index: a write adds to the changes of the account in its own transaction, and what takes some away
   * brings another revision. So with one revision their number only grows, and stays only when nothing was written. A
   * number alone tells, in whichever order transactions commit, and the highest id would not. The time of the newest one
   * is for what brought no revision: a server set back to an earlier moment, and a change of the index that began before
   * the migration. Null when the state is not worth knowing, or there is no index.
   */
  `CREATE FUNCTION search_state(account uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  DECLARE
    state text;
  BEGIN
    SELECT concat_ws(' ', kept.revision, changes.n, extract(epoch FROM changes.newest)) INTO state
      FROM search_revisions AS kept CROSS JOIN (
        SELECT count(*) AS n, max(noted_at) AS newest
          FROM (SELECT noted_at FROM search_changes WHERE account_id = account LIMIT ${String(MOST_WAITING + 1)}) AS change
      ) AS changes
     WHERE kept.account_id = account AND changes.n <= ${String(MOST_WAITING)};
    RETURN state;
  END
  $$`,
  // Counts of values, behind a first row that has only the state they belong to; no counts where that is the known one.
  `CREATE FUNCTION search_facets_since(account uuid, request json, most integer, known text)
  RETURNS TABLE (state text, facet text, value text, documents bigint) LANGUAGE plpgsql STABLE AS $$
  BEGIN
    state := search_state(account);
    RETURN NEXT;
    IF state = known THEN RETURN; END IF;
    RETURN QUERY SELECT NULL, counted.* FROM search_facets(account, request, most) AS counted;
  END
  $$`,
];

/** Positions of a block that are in use are nearly all of them, and what is compressed takes longer to read. */
export const PLAIN_BITS = [
  'ALTER TABLE search_blocks ALTER live SET STORAGE PLAIN',
  `UPDATE search_blocks SET live = live & live WHERE live <> B''`,
];
