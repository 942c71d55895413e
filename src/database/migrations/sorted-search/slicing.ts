import { BLOCK } from '../document-search/tables.js';
import { DIGITS, SLICED } from './tables.js';

const SORTS = `'{title,updated_at,word_count}'::text[]`;
/** Documents looked at for each part, to find where it begins. */
const SAMPLE = 16;
/**
 * An order is made anew when so many of its documents came into it since, as a share: its parts are no longer even.
 * Documents that change all come into the last part of updated_at.
 */
const RENEWED_AFTER = `sliced / CASE sort WHEN 'updated_at' THEN 8 ELSE 2 END`;

/** Documents of a block that the slices of an order do not know yet. */
const UNSLICED = `search_width(live | deleted, ${String(BLOCK)}) & ~coalesce((
      SELECT bits FROM search_slices AS slice
       WHERE slice.order_id = known.id AND slice.digit = ${String(SLICED)} AND slice.block_id = block.id), B'0'::bit(${String(BLOCK)}))`;

/** How orders follow the documents. */
export const SLICING_FUNCTIONS = [
  // A text whose order, byte by byte, is that of a field and of the id where the field is the same.
  `CREATE FUNCTION search_order_key(sort text, title text, updated_at timestamptz, word_count integer, id uuid) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE sort WHEN 'title' THEN replace(title, E'\\x01', E'\\x01\\x02')
                     WHEN 'updated_at' THEN to_char(updated_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS')
                     ELSE lpad(word_count::text, 10, '0') END || E'\\x01\\x01' || id
  $$`,
  // The part of an order that a key is in.
  `CREATE FUNCTION search_part(order_id integer, key text) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT part FROM search_parts WHERE search_parts.order_id = search_part.order_id
                        AND first_key <= key COLLATE "C" ORDER BY first_key DESC LIMIT 1), 0)
  $$`,
  // A new order of an account, cut into parts that are about even, judged by some of its documents.
  `CREATE FUNCTION search_begin_order(account uuid, sort text) RETURNS void LANGUAGE sql AS $$
    WITH begun AS (
      INSERT INTO search_orders (account_id, sort, is_complete, sliced, most_sliced) VALUES (account, sort, false, 0, 0) RETURNING id
    ), sample AS (
      SELECT search_order_key(sort, item.title, item.updated_at, item.word_count, item.id) COLLATE "C" AS key
        FROM (SELECT *, greatest(sum(bit_count(live | deleted)) OVER () / ${String(SAMPLE * 2 ** DIGITS)}, 1)::integer AS step
                FROM search_blocks WHERE account_id = account) AS block
        CROSS JOIN generate_series(block.id % step, ${String(BLOCK - 1)}, step) AS wanted(position)
        JOIN search_entries AS entry ON entry.block_id = block.id AND entry.position = wanted.position
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = entry.document_id LIMIT 1) AS item
    )
    INSERT INTO search_parts (order_id, first_key, part)
    SELECT begun.id, min(key), part
      FROM begun CROSS JOIN (SELECT key, ntile(${String(2 ** DIGITS)}) OVER (ORDER BY key) - 1 AS part FROM sample) AS one
     WHERE part > 0 GROUP BY begun.id, part
  $$`,
  // Puts these documents of a block into the slices of an order.
  `CREATE FUNCTION search_slice(order_id integer, block integer, unsliced bit varying) RETURNS void
  LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    WITH placed AS MATERIALIZED (
      SELECT entry.position,
             search_part(known.id, search_order_key(known.sort, item.title, item.updated_at, item.word_count, item.id)) AS part
        FROM search_orders AS known CROSS JOIN search_positions(unsliced) AS one
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = one
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = entry.document_id LIMIT 1) AS item
       WHERE known.id = search_slice.order_id
    )
    INSERT INTO search_slices AS old (order_id, digit, block_id, bits)
    SELECT search_slice.order_id, digit, block, search_bits(position, 1)
      FROM placed CROSS JOIN generate_series(0, ${String(SLICED)}) AS digit
     WHERE digit = ${String(SLICED)} OR part & (1 << digit) > 0
     GROUP BY digit
    ON CONFLICT (order_id, digit, block_id) DO UPDATE SET bits = old.bits | EXCLUDED.bits;
  END
  $$`,
  /**
   * One step of bringing the orders of an account up to date, unless another transaction is at its index: an account of
   * so many blocks gets its orders, a block with so many new documents is sliced, an order with all documents is used
   * in place of the one before. Whether there may be more to do.
   */
  `CREATE FUNCTION search_update_orders(account uuid, least_blocks integer, least_unsliced integer) RETURNS boolean
  LANGUAGE plpgsql SET jit = off AS $$
  #variable_conflict use_column
  DECLARE
    step record;
    whole search_orders;
  BEGIN
    IF (SELECT count(*) FROM search_blocks WHERE account_id = account) < least_blocks
       OR NOT pg_try_advisory_xact_lock(hashtextextended('search ' || account, 0)) THEN
      RETURN false;
    END IF;
    PERFORM search_begin_order(account, wanted.sort) FROM unnest(${SORTS}) AS wanted(sort)
     WHERE NOT EXISTS (SELECT FROM search_orders AS known WHERE known.account_id = account AND known.sort = wanted.sort
                          AND (NOT is_complete OR sliced < most_sliced));
    SELECT known.id AS order_id, block.id AS block, unsliced INTO step
      FROM search_orders AS known JOIN search_blocks AS block ON block.account_id = known.account_id
      CROSS JOIN LATERAL (SELECT (${UNSLICED})::bit varying AS unsliced) AS waiting
     WHERE known.account_id = account AND bit_count(unsliced) >= CASE WHEN is_complete THEN least_unsliced ELSE 1 END
     ORDER BY is_complete DESC, known.id LIMIT 1;
    IF FOUND THEN
      PERFORM search_slice(step.order_id, step.block, step.unsliced);
      UPDATE search_orders SET sliced = sliced + bit_count(step.unsliced) WHERE id = step.order_id;
      RETURN true;
    END IF;
    SELECT * INTO whole FROM search_orders WHERE account_id = account AND NOT is_complete LIMIT 1;
    IF NOT FOUND THEN RETURN false; END IF;
    WITH former AS (
      DELETE FROM search_orders WHERE account_id = account AND sort = whole.sort AND is_complete RETURNING id
    ), unused AS (
      DELETE FROM search_parts WHERE order_id = (SELECT id FROM former)
    )
    DELETE FROM search_slices WHERE order_id = (SELECT id FROM former);
    UPDATE search_orders SET is_complete = true, most_sliced = sliced + ${RENEWED_AFTER} + 1 WHERE id = whole.id;
    RETURN true;
  END
  $$`,
];
