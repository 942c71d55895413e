import { PLANES } from '../document-search/indexing.js';
import { BLOCK } from '../document-search/tables.js';
import { BITS_OF_PLACES, IS_VALUE, LONGEST_LIST } from './table.js';

const merged = (column: string) =>
  `${column} = coalesce(search_width(old.${column}, width) | EXCLUDED.${column}, old.${column}, EXCLUDED.${column})`;

const FITS_A_LIST = `cardinality(old.places) + cardinality(EXCLUDED.places) <= ${String(LONGEST_LIST)}`;

/** How documents come into the index and leave it. */
export const INDEXING_FUNCTIONS = [
  `CREATE FUNCTION search_bits_of(places integer[]) RETURNS bit varying LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ${BITS_OF_PLACES}
  $$`,
  // Puts documents that are new to the index at positions of a block.
  `CREATE OR REPLACE FUNCTION search_fill(account uuid, block integer, ids uuid[], positions integer[]) RETURNS void
  LANGUAGE plpgsql SET work_mem = '32MB' AS $$
  #variable_conflict use_column
  DECLARE
    old_width integer := (SELECT length(used) FROM search_blocks WHERE id = block);
    width integer := greatest(1 + (SELECT max(position) FROM unnest(positions) AS position), old_width);
    emptied text[];
  BEGIN
    IF old_width = 0 THEN
      -- Who emptied the block while it was being migrated has left these.
      DELETE FROM search_values WHERE block_id = block;
    END IF;
    WITH filed AS MATERIALIZED (
      SELECT item.id, positions[wanted.n] AS position, item.deleted_at IS NOT NULL AS deleted, item.created_at,
             item.updated_at, ARRAY(SELECT coalesce(facet, '') || '/' || term FROM search_fields(item)) AS fields
        FROM unnest(ids) WITH ORDINALITY AS wanted(id, n)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = wanted.id LIMIT 1) AS item
    ), entered AS (
      INSERT INTO search_entries (document_id, block_id, position, deleted, created_at, updated_at, facets)
      SELECT id, block, filed.position, deleted, created_at, updated_at,
             ARRAY(SELECT field FROM unnest(fields) AS field WHERE field NOT LIKE '/%') FROM filed
    ), counted AS (
      INSERT INTO search_counts AS old (account_id, deleted, facet, term, documents)
      SELECT account, deleted, split_part(field, '/', 1), substring(field, position('/' IN field) + 1), count(*)
        FROM filed, unnest(fields) AS field WHERE field NOT LIKE '/%' GROUP BY deleted, field
      ON CONFLICT (account_id, deleted, term) DO UPDATE SET documents = old.documents + EXCLUDED.documents
    ), marked AS (
      UPDATE search_blocks AS old
         SET used = search_width(old.used, width) | search_width(fresh.live | fresh.deleted, width),
             live = search_width(old.live, width) | search_width(fresh.live, width),
             deleted = search_width(old.deleted, width) | search_width(fresh.deleted, width),
             first_updated_at = least(old.first_updated_at, fresh.first_updated_at),
             last_updated_at = greatest(old.last_updated_at, fresh.last_updated_at)
        FROM (SELECT coalesce(search_bits(filed.position, 1) FILTER (WHERE NOT filed.deleted), B'0'::bit(${String(BLOCK)})) AS live,
                     coalesce(search_bits(filed.position, 1) FILTER (WHERE filed.deleted), B'0'::bit(${String(BLOCK)})) AS deleted,
                     min(updated_at) AS first_updated_at, max(updated_at) AS last_updated_at
                FROM filed) AS fresh
       WHERE old.id = block
    ), field AS MATERIALIZED (
      SELECT substring(field, position('/' IN field) + 1) AS term, array_agg(filed.position) AS places
        FROM filed, unnest(fields) AS field GROUP BY field
    ), valued AS (
      INSERT INTO search_values AS old (account_id, term, block_id, places, bits)
      SELECT account, term, block, CASE WHEN cardinality(places) <= ${String(LONGEST_LIST)} THEN places END,
             CASE WHEN cardinality(places) > ${String(LONGEST_LIST)} THEN search_width(${BITS_OF_PLACES}, width) END
        FROM field WHERE ${IS_VALUE}
      ON CONFLICT (account_id, term, block_id) DO UPDATE
         SET places = CASE WHEN ${FITS_A_LIST} THEN old.places || EXCLUDED.places END,
             bits = CASE WHEN ${FITS_A_LIST} THEN NULL
                         ELSE search_width(coalesce(old.bits, search_bits_of(old.places)), width)
                            | search_width(coalesce(EXCLUDED.bits, search_bits_of(EXCLUDED.places)), width) END
    ), fresh AS MATERIALIZED (
      SELECT term, ARRAY(SELECT positions[(place & 8191) + 1] + (place & 57344) FROM unnest(places) AS place) AS places
        FROM search_document_terms(ids)
      UNION ALL
      SELECT term, places FROM field WHERE NOT ${IS_VALUE}
    ), listed AS (
      INSERT INTO search_postings AS old (block_id, term, places)
      SELECT block, term, places FROM fresh WHERE cardinality(places) <= ${String(LONGEST_LIST)}
      ON CONFLICT (block_id, term) DO UPDATE SET places = old.places || EXCLUDED.places
      RETURNING term, places
    ), mapped AS (
      INSERT INTO search_bitmaps AS old (block_id, term, bits, in_title, low, high)
      SELECT block, term, ${PLANES}
        FROM (SELECT * FROM fresh UNION ALL SELECT * FROM listed) AS grown, unnest(places) AS spot
       WHERE cardinality(places) > ${String(LONGEST_LIST)}
       GROUP BY term
      ON CONFLICT (block_id, term) DO UPDATE
         SET bits = search_width(old.bits, width) | EXCLUDED.bits,
             ${['in_title', 'low', 'high'].map(merged).join(', ')}
      RETURNING term
    )
    SELECT array_agg(term) INTO emptied FROM mapped;
    UPDATE search_postings SET places = '{}'
     WHERE block_id = block AND term = ANY (emptied) AND cardinality(places) > ${String(LONGEST_LIST)};
  END
  $$`,
  // Takes documents out. Their positions stay used: the terms there are not known any more.
  `CREATE OR REPLACE FUNCTION search_forget(account uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    fewer text[];
    emptied integer[];
  BEGIN
    WITH gone AS MATERIALIZED (
      DELETE FROM search_entries WHERE document_id = ANY (ids) RETURNING block_id, position, deleted, facets
    ), counted AS (
      UPDATE search_counts AS old SET documents = old.documents - less.documents
        FROM (SELECT deleted, substring(facet, position('/' IN facet) + 1) AS term, count(*) AS documents
                FROM gone, unnest(facets) AS facet GROUP BY deleted, facet) AS less
       WHERE old.account_id = account AND old.deleted = less.deleted AND old.term = less.term
      RETURNING old.term
    ), cleared AS (
      UPDATE search_blocks AS old
         SET live = old.live & ~search_width(less.bits, length(used)),
             deleted = old.deleted & ~search_width(less.bits, length(used))
        FROM (SELECT block_id, search_bits(gone.position, 1) AS bits FROM gone GROUP BY block_id) AS less
       WHERE old.id = less.block_id
      RETURNING old.id, bit_count(old.live | old.deleted) AS documents
    )
    SELECT (SELECT array_agg(term) FROM counted), (SELECT array_agg(id) FROM cleared WHERE documents = 0)
      INTO fewer, emptied;
    DELETE FROM search_counts WHERE account_id = account AND term = ANY (fewer) AND documents = 0;
    IF emptied IS NOT NULL THEN
      DELETE FROM search_values WHERE block_id = ANY (emptied);
      DELETE FROM search_postings WHERE block_id = ANY (emptied);
      DELETE FROM search_bitmaps WHERE block_id = ANY (emptied);
      UPDATE search_blocks SET used = B'', live = B'', deleted = B'', first_updated_at = 'infinity',
             last_updated_at = '-infinity' WHERE id = ANY (emptied);
    END IF;
  END
  $$`,
  // Leaves only these positions in the terms of a block.
  `CREATE OR REPLACE FUNCTION search_restrict(block integer, kept bit varying) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  BEGIN
    UPDATE search_values
       SET bits = search_width(bits, length(kept)) & kept,
           places = CASE WHEN bits IS NULL THEN ARRAY(SELECT place FROM unnest(places) AS place WHERE get_bit(kept, place) = 1) END
     WHERE block_id = block;
    UPDATE search_bitmaps SET bits = search_width(bits, length(kept)) & kept,
           in_title = search_width(in_title, length(kept)) & kept, low = search_width(low, length(kept)) & kept,
           high = search_width(high, length(kept)) & kept
     WHERE block_id = block;
    UPDATE search_postings
       SET places = ARRAY(SELECT place FROM unnest(places) AS place WHERE get_bit(kept, place & 8191) = 1)
     WHERE block_id = block;
    DELETE FROM search_values WHERE block_id = block AND (places = '{}' OR bit_count(bits) = 0);
    DELETE FROM search_bitmaps WHERE block_id = block AND bit_count(bits) = 0;
    DELETE FROM search_postings WHERE block_id = block AND places = '{}';
    UPDATE search_blocks SET used = kept, live = live & kept, deleted = deleted & kept WHERE id = block;
  END
  $$`,
  // Moves the younger half of a full block, positions and all, into a new block behind it.
  `CREATE OR REPLACE FUNCTION search_split(block integer) RETURNS void LANGUAGE plpgsql AS $$
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
    INSERT INTO search_values (account_id, term, block_id, places, bits)
    SELECT account_id, term, half, places, bits FROM search_values WHERE block_id = block;
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
];
