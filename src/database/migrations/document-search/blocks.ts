import { BLOCK } from './tables.js';

/** Positions that the newest block leaves free for changes of its documents: a changed one comes to a new position. */
const SLACK = BLOCK / 8;
/** A full block with so many positions of documents that left it is cleared of them. */
const WORTH_RENEWING = SLACK;
/** Documents put into the index by one statement. */
const PORTION = 1_024;
/** UTF-8 bytes of content taken into the index in one go: a statement must not take longer than it may. */
export const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** A statement that writes so many documents of an account puts them into the index itself. */
export const BULK = 500;

const EMPTY_ID = '00000000-0000-0000-0000-000000000000';

/** How blocks grow, and how the index follows the documents. */
export const BLOCK_FUNCTIONS = [
  `CREATE FUNCTION search_new_block(account uuid, first_at timestamptz, first uuid) RETURNS integer LANGUAGE sql AS $$
    INSERT INTO search_blocks (account_id, first_created_at, first_id, first_updated_at, last_updated_at, used, live,
                               deleted)
    VALUES (account, first_at, first, 'infinity', '-infinity', B'', B'', B'') RETURNING id
  $$`,
  // Leaves only these positions in the terms of a block.
  `CREATE FUNCTION search_restrict(block integer, kept bit varying) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    UPDATE search_bitmaps SET bits = search_width(bits, length(kept)) & kept,
           in_title = search_width(in_title, length(kept)) & kept, low = search_width(low, length(kept)) & kept,
           high = search_width(high, length(kept)) & kept
     WHERE block_id = block;
    UPDATE search_postings
       SET places = ARRAY(SELECT place FROM unnest(places) AS place WHERE get_bit(kept, place & 8191) = 1)
     WHERE block_id = block;
    DELETE FROM search_bitmaps WHERE block_id = block AND bit_count(bits) = 0;
    DELETE FROM search_postings WHERE block_id = block AND places = '{}';
    UPDATE search_blocks SET used = kept, live = live & kept, deleted = deleted & kept WHERE id = block;
  END
  $$`,
  // Moves the younger half of a full block, positions and all, into a new block behind it.
  `CREATE FUNCTION search_split(block integer) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    middle search_entries;
    moved bit varying;
    half integer;
  BEGIN
    SELECT * INTO middle FROM search_entries WHERE block_id = block
     ORDER BY created_at, document_id OFFSET (SELECT count(*) / 2 FROM search_entries WHERE block_id = block) LIMIT 1;
    SELECT search_bits(position, 1) INTO moved FROM search_entries
     WHERE block_id = block AND (created_at, document_id) >= (middle.created_at, middle.document_id);
    INSERT INTO search_blocks (account_id, first_created_at, first_id, first_updated_at, last_updated_at, used, live,
                               deleted)
    SELECT account_id, middle.created_at, middle.document_id, first_updated_at, last_updated_at, moved, live & moved,
           deleted & moved
      FROM search_blocks WHERE id = block
    RETURNING id INTO half;
    INSERT INTO search_bitmaps (block_id, term, bits, in_title, low, high)
    SELECT half, term, search_width(bits, ${String(BLOCK)}), in_title, low, high FROM search_bitmaps WHERE block_id = block;
    INSERT INTO search_postings (block_id, term, places)
    SELECT half, term, places FROM search_postings WHERE block_id = block;
    UPDATE search_entries SET block_id = half
     WHERE block_id = block AND (created_at, document_id) >= (middle.created_at, middle.document_id);
    PERFORM search_restrict(half, moved);
    PERFORM search_restrict(block, (SELECT (live | deleted) & ~moved FROM search_blocks WHERE id = block));
  END
  $$`,
  // Puts documents, in the order of creation and new to the index, into the blocks they belong to.
  `CREATE FUNCTION search_add(account uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    next documents;
    block search_blocks;
    is_newest boolean;
    free integer[];
    here uuid[];
  BEGIN
    WHILE cardinality(ids) > 0 LOOP
      SELECT * INTO next FROM documents WHERE id = ids[1];
      IF NOT FOUND THEN
        ids := ids[2 : ];
        CONTINUE;
      END IF;
      SELECT * INTO block FROM search_blocks
       WHERE account_id = account AND (first_created_at, first_id) <= (next.created_at, next.id)
       ORDER BY first_created_at DESC, first_id DESC LIMIT 1;
      is_newest := NOT EXISTS (
        SELECT FROM search_entries
         WHERE block_id = block.id AND (created_at, document_id) > (next.created_at, next.id)
      ) AND NOT EXISTS (
        SELECT FROM search_blocks WHERE account_id = account
           AND (first_created_at, first_id) > (block.first_created_at, block.first_id)
      );
      free := ARRAY(SELECT search_positions(~(block.used::bit(${String(BLOCK)})))
        LIMIT least(${String(PORTION)}, CASE WHEN is_newest THEN greatest(${String(BLOCK - SLACK)} - bit_count(block.used), 0) END));
      IF cardinality(free) > 0 THEN
        -- As many of the next ones as belong here and fit.
        SELECT array_agg(one.id ORDER BY one.n) INTO here
          FROM unnest(ids[ : cardinality(free)]) WITH ORDINALITY AS one(id, n)
         WHERE NOT EXISTS (
           SELECT FROM documents AS item JOIN search_blocks AS later ON later.account_id = account
            WHERE item.id = one.id AND (later.first_created_at, later.first_id) <= (item.created_at, item.id)
              AND (later.first_created_at, later.first_id) > (block.first_created_at, block.first_id));
        PERFORM search_fill(account, block.id, here, free[ : cardinality(here)]);
        ids := ids[cardinality(here) + 1 : ];
      ELSIF bit_count(block.used) - bit_count(block.live | block.deleted) >= ${String(WORTH_RENEWING)} THEN
        PERFORM search_restrict(block.id, block.live | block.deleted);
      ELSIF is_newest THEN
        PERFORM search_new_block(account, next.created_at, next.id);
      ELSE
        PERFORM search_split(block.id);
      END IF;
    END LOOP;
  END
  $$`,
  // Brings documents of an account up to date.
  `CREATE FUNCTION search_renew(account uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql SET jit = off AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM search_forget(account, ids);
    IF NOT EXISTS (SELECT FROM search_blocks WHERE account_id = account) THEN
      PERFORM search_new_block(account, '-infinity', '${EMPTY_ID}');
    END IF;
    PERFORM search_add(account, ARRAY(
      SELECT id FROM documents WHERE id = ANY (ids) AND account_id = account ORDER BY created_at, id));
  END
  $$`,
  // Brings at most so many documents that wait up to date; returns how many, -1 when another transaction is at it and
  // this one is not to wait for that.
  `CREATE FUNCTION search_update(account uuid, most integer, patient boolean) RETURNS integer LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    lock bigint := hashtextextended('search ' || account, 0);
    changed uuid[];
  BEGIN
    IF patient THEN PERFORM pg_advisory_xact_lock(lock);
    ELSIF NOT pg_try_advisory_xact_lock(lock) THEN RETURN -1; END IF;
    WITH oldest AS (
      SELECT change.id, octet_length(item.content) AS bytes,
             sum(octet_length(item.content)) OVER (ORDER BY change.id) AS upto
        FROM (SELECT * FROM search_changes WHERE account_id = account ORDER BY id LIMIT most) AS change
        LEFT JOIN documents AS item ON item.id = change.document_id
    ), taken AS (
      DELETE FROM search_changes WHERE account_id = account
         AND id IN (SELECT id FROM oldest WHERE coalesce(upto - bytes, 0) < ${String(BYTES_AT_ONCE)})
      RETURNING document_id
    )
    SELECT array_agg(DISTINCT document_id) INTO changed FROM taken;
    IF changed IS NULL THEN RETURN 0; END IF;
    PERFORM search_renew(account, changed);
    RETURN cardinality(changed);
  END
  $$`,
  // Remembers which documents changed. Who writes many at once brings them up to date, so that no reader has to wait.
  `CREATE FUNCTION note_search_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    noted integer;
    busy record;
  BEGIN
    INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM changed;
    GET DIAGNOSTICS noted = ROW_COUNT;
    IF noted < ${String(BULK)} THEN RETURN NULL; END IF;
    FOR busy IN
      SELECT account_id AS account, array_agg(id ORDER BY created_at, id) AS ids FROM changed
       GROUP BY account_id HAVING count(*) >= ${String(BULK)}
    LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('search ' || busy.account, 0));
      DELETE FROM search_changes WHERE account_id = busy.account AND document_id = ANY (busy.ids);
      FOR part IN 0 .. (cardinality(busy.ids) - 1) / ${String(BLOCK)} LOOP
        PERFORM search_renew(
          busy.account, busy.ids[part * ${String(BLOCK)} + 1 : (part + 1) * ${String(BLOCK)}]);
      END LOOP;
    END LOOP;
    RETURN NULL;
  END
  $$`,
];

export const TRIGGERS = [
  `CREATE TRIGGER search_added AFTER INSERT ON documents
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes()`,
  `CREATE TRIGGER search_changed AFTER UPDATE ON documents
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes()`,
  `CREATE TRIGGER search_removed AFTER DELETE ON documents
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes()`,
];
