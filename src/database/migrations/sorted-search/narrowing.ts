import { BLOCK } from '../document-search/tables.js';
import { DIGITS, SLICED } from './tables.js';

/** One digit of a part: whether it stands in the half of an order that is walked first. */
const IN_HALF = '(part >> digit) & 1 = half';

/** So few matches are always looked up, and so few documents walked through. */
const FEW = 1_000;
const SHORT_WALK = 20_000;
/** Time to look a match up, over that to test one document of a walk. */
const MATCH_COST = 12;

/** So many matches around a place of an order are looked up: fewer are not worth another step of narrowing. */
const ENOUGH = 1_000;

/** The matches around a place of an order. */
export const NARROWING_FUNCTIONS = [
  // All matches of a block; looked up one by one, because most of its documents are none.
  `CREATE OR REPLACE FUNCTION search_all(block integer, bits bit varying) RETURNS SETOF uuid LANGUAGE plpgsql STABLE ROWS 500 AS $$
  BEGIN
    RETURN QUERY SELECT entry.document_id FROM search_positions(bits) AS one
      CROSS JOIN LATERAL (
        SELECT document_id FROM search_entries WHERE block_id = block AND position = one LIMIT 1) AS entry;
  END
  $$`,
  `CREATE FUNCTION search_enough() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ${String(ENOUGH)}'`,
  /**
   * How matches are best put in order to find `wanted` ones from an end on: 'looked up' and sorted; 'walked' to, through
   * the sorted documents; 'narrowed' down by an order of the index. A walk is taken where even the longest one is short:
   * documents that do not match may all come first. Without the order, it is expected to meet matches evenly.
   */
  `CREATE FUNCTION search_way(account uuid, sort text, in_trash boolean, matches bigint, wanted bigint) RETURNS text
  LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_variable
  DECLARE
    documents bigint;
  BEGIN
    IF matches <= ${String(FEW)} THEN RETURN 'looked up'; END IF;
    SELECT coalesce(sum(count), 0) INTO documents FROM row_counts
     WHERE account_id = account AND kind = CASE WHEN in_trash THEN 'documents.deleted' ELSE 'documents' END;
    IF documents - matches + wanted <= ${String(SHORT_WALK)} THEN RETURN 'walked'; END IF;
    IF EXISTS (SELECT FROM search_orders AS known
                WHERE known.account_id = account AND known.sort = search_way.sort AND is_complete) THEN
      RETURN 'narrowed';
    END IF;
    RETURN CASE WHEN matches::numeric * matches * ${String(MATCH_COST)} <= wanted * documents THEN 'looked up' ELSE 'walked' END;
  END
  $$`,
  /**
   * Of some matches, those around `wanted` ones behind the first `skipped` ones of an order, and how many are `passed`
   * before them all. `others` are matches that the slices do not know, with their parts. With `from_part` those from
   * that part on; `counts` is false of documents that may stand in it, because they may not be wanted. Digit by digit
   * the half that is not needed is left out, until at most `enough` are left, or all of one part.
   */
  `CREATE FUNCTION search_narrow(
    order_id integer, digit integer, descending boolean, skipped bigint, wanted bigint, from_part integer, enough integer,
    before bigint, block_ids integer[], bitmaps bit varying[], others uuid[], parts integer[]
  ) RETURNS TABLE (passed bigint, counts boolean, document_id uuid) LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_variable
  DECLARE
    half integer := descending::integer;
    first_ids integer[];
    first_bits bit varying[];
    first_others uuid[];
    first_parts integer[];
    second_ids integer[];
    second_bits bit varying[];
    second_others uuid[];
    second_parts integer[];
    matches bigint;
    found bigint := 0;
  BEGIN
    matches := coalesce((SELECT sum(bit_count(block.bits)) FROM unnest(bitmaps) AS block(bits)), 0)
             + coalesce(cardinality(others), 0);
    IF matches <= enough OR digit < 0 THEN
      RETURN QUERY
      SELECT before, from_part IS NULL, search_all(block.id, block.bits) FROM unnest(block_ids, bitmaps) AS block(id, bits)
      UNION ALL
      SELECT before, from_part IS NULL, other.id FROM unnest(others) AS other(id);
      RETURN;
    END IF;

    SELECT array_agg(cut.id) FILTER (WHERE cut.n > 0), array_agg(cut.bits) FILTER (WHERE cut.n > 0),
           array_agg(cut.id) FILTER (WHERE cut.n < cut.upto), array_agg(cut.rest) FILTER (WHERE cut.n < cut.upto),
           coalesce(sum(cut.n), 0)
      INTO first_ids, first_bits, second_ids, second_bits, matches
      FROM (
        SELECT block.id, part.bits, (block.bits # part.bits)::bit varying AS rest, bit_count(part.bits) AS n,
               bit_count(block.bits) AS upto
          FROM unnest(block_ids, bitmaps) AS block(id, bits)
          LEFT JOIN LATERAL (
            SELECT slice.bits FROM search_slices AS slice
             WHERE slice.order_id = search_narrow.order_id AND slice.digit = search_narrow.digit
               AND slice.block_id = block.id LIMIT 1) AS slice ON true
          CROSS JOIN LATERAL (
            SELECT (block.bits & CASE WHEN half = 1 THEN coalesce(slice.bits, B'0'::bit(${String(BLOCK)}))
                                      ELSE coalesce(~slice.bits, block.bits) END)::bit varying AS bits OFFSET 0) AS part
      ) AS cut;
    SELECT array_agg(id) FILTER (WHERE ${IN_HALF}), array_agg(part) FILTER (WHERE ${IN_HALF}),
           array_agg(id) FILTER (WHERE NOT ${IN_HALF}), array_agg(part) FILTER (WHERE NOT ${IN_HALF})
      INTO first_others, first_parts, second_others, second_parts FROM unnest(others, parts) AS other(id, part);
    matches := matches + coalesce(cardinality(first_others), 0);

    IF from_part IS NULL THEN
      found := matches - skipped;
      IF found > 0 THEN
        RETURN QUERY SELECT * FROM search_narrow(order_id, digit - 1, descending, skipped, wanted, NULL, enough, before,
                                                 first_ids, first_bits, first_others, first_parts);
      END IF;
    ELSIF (from_part >> digit) & 1 = half THEN
      FOR passed, counts, document_id IN
        SELECT * FROM search_narrow(order_id, digit - 1, descending, 0, wanted, from_part, enough, before,
                                    first_ids, first_bits, first_others, first_parts)
      LOOP
        found := found + counts::integer;
        RETURN NEXT;
      END LOOP;
      from_part := NULL;
    END IF;
    IF found < wanted THEN
      RETURN QUERY SELECT * FROM search_narrow(
        order_id, digit - 1, descending, greatest(-found, 0), wanted - greatest(found, 0), from_part, enough,
        before + matches, second_ids, second_bits, second_others, second_parts);
    END IF;
  END
  $$`,
  /**
   * The documents of matches that are around a place of an order: behind the first `skipped` ones, or at `behind`, a key
   * of the order, and how many are `passed` before them all. Bitmaps are as long as they can be, `singles` are matches
   * without one. Nothing without a complete order.
   */
  `CREATE FUNCTION search_sorted(
    account uuid, sort text, descending boolean, skipped bigint, wanted bigint, behind text,
    block_ids integer[], bitmaps bit varying[], singles uuid[]
  ) RETURNS TABLE (passed bigint, document_id uuid)
  LANGUAGE plpgsql STABLE ROWS 1000 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_variable
  DECLARE
    known search_orders;
    sliced bit varying[];
    others uuid[];
    parts integer[];
  BEGIN
    SELECT * INTO known FROM search_orders AS one WHERE one.account_id = account AND one.sort = search_sorted.sort AND is_complete;
    IF NOT FOUND THEN RETURN; END IF;
    SELECT array_agg(coalesce(block.bits & slice.bits, B'0'::bit(${String(BLOCK)}))::bit varying) INTO sliced
      FROM unnest(block_ids, bitmaps) WITH ORDINALITY AS block(id, bits, n)
      LEFT JOIN LATERAL (
        SELECT slice.bits FROM search_slices AS slice
         WHERE slice.order_id = known.id AND slice.digit = ${String(SLICED)} AND slice.block_id = block.id LIMIT 1
      ) AS slice ON true;
    others := singles || ARRAY(
      SELECT search_all(block.id, (block.bits # block.sliced)::bit varying)
        FROM unnest(block_ids, bitmaps, sliced) AS block(id, bits, sliced) WHERE bit_count(block.bits # block.sliced) > 0);
    SELECT array_agg(item.id),
           array_agg(search_part(known.id, search_order_key(
             known.sort, item.title, item.updated_at, item.word_count, item.id)))
      INTO others, parts
      FROM unnest(others) AS one(id)
      CROSS JOIN LATERAL (SELECT * FROM documents WHERE documents.id = one.id LIMIT 1) AS item;
    RETURN QUERY
    SELECT narrowed.passed, narrowed.document_id FROM search_narrow(
      known.id, ${String(DIGITS - 1)}, descending, skipped, wanted,
      CASE WHEN behind IS NOT NULL THEN search_part(known.id, behind) END, search_enough(), 0, block_ids, sliced,
      others, parts) AS narrowed;
  END
  $$`,
];
