import { BLOCK } from './tables.js';

/** From so many positions on a term of a block is kept as a bitmap. */
const LONGEST_LIST = 64;

/**
 * A place is a position, with what ranks a document: times the term occurs (nothing at 1, 8192 from 2 on, 16384 from 4
 * on, both from 8 on), and 32768 when it is in the title.
 */
export const POSITION = 'spot & 8191';
const plane = (flag: number) => `FILTER (WHERE spot & ${String(flag)} > 0)`;

/** The four bitmaps of a term from its places, `width` positions long. */
export const PLANES = `search_width(search_bits(${POSITION}, 1), width) AS bits,
             search_width(search_bits(${POSITION}, 1) ${plane(32768)}, width) AS in_title,
             search_width(search_bits(${POSITION}, 1) ${plane(8192)}, width) AS low,
             search_width(search_bits(${POSITION}, 1) ${plane(16384)}, width) AS high`;

const merged = (column: string) =>
  `${column} = coalesce(search_width(old.${column}, width) | EXCLUDED.${column}, old.${column}, EXCLUDED.${column})`;

/** How documents come into the index and leave it. */
export const INDEXING_FUNCTIONS = [
  `CREATE AGGREGATE search_bits(integer, integer) (
    SFUNC = set_bit, STYPE = bit, INITCOND = '${'0'.repeat(BLOCK)}')`,
  // Bitmaps of several blocks one after the other.
  `CREATE AGGREGATE search_joined(bit varying) (SFUNC = bitcat, STYPE = bit varying, INITCOND = '')`,
  // Bitmaps of a block have one of two lengths, so that they can be combined.
  `CREATE FUNCTION search_width(bits bit varying, positions integer) RETURNS bit varying
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN length(bits) = positions THEN bits WHEN positions <= 1024 THEN bits::bit(1024) ELSE bits::bit(${String(BLOCK)}) END
  $$`,
  // From one number for each occurrence of a term to one place for each document.
  `CREATE FUNCTION search_places(seen integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN cardinality(seen) = 1 THEN seen ELSE (
      SELECT array_agg(n + title
               + CASE WHEN times < 2 THEN 0 WHEN times < 4 THEN 8192 WHEN times < 8 THEN 16384 ELSE 24576 END)
        FROM (SELECT one & 8191 AS n, max(one & 32768) AS title, count(*) AS times
                FROM unnest(seen) AS one GROUP BY 1) AS counted) END
  $$`,
  // The terms of documents; in the places stand their numbers in the list from 0 on.
  `CREATE FUNCTION search_document_terms(ids uuid[]) RETURNS TABLE (term text, places integer[])
  LANGUAGE plpgsql STABLE AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    WITH document AS (
      SELECT wanted.n::integer - 1 AS n, search_configuration(item.ai_settings) AS configuration, item.title, item.content
        FROM unnest(ids) WITH ORDINALITY AS wanted(id, n)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = wanted.id LIMIT 1) AS item
    ), token AS MATERIALIZED (
      SELECT configuration, token, array_agg(n) AS seen
        FROM (SELECT configuration, n + 32768 AS n, unnest(string_to_array(translate(title, E'\\n', ' '), ' ')) AS token
                FROM document
              UNION ALL
              SELECT configuration, n, unnest(string_to_array(replace(content, E'\\n', ' '), ' ')) FROM document) AS part
       WHERE token <> ''
       GROUP BY configuration, token
    ), known AS MATERIALIZED (
      SELECT hit, seen FROM token CROSS JOIN LATERAL search_terms(configuration, token) AS hit
    )
    SELECT hit, search_places(array_agg(one)) FROM known CROSS JOIN unnest(seen) AS one GROUP BY hit;
  END
  $$`,
  // Puts documents that are new to the index at positions of a block.
  `CREATE FUNCTION search_fill(account uuid, block integer, ids uuid[], positions integer[]) RETURNS void
  LANGUAGE plpgsql SET work_mem = '32MB' AS $$
  #variable_conflict use_column
  DECLARE
    width integer := greatest(
      1 + (SELECT max(position) FROM unnest(positions) AS position), (SELECT length(used) FROM search_blocks WHERE id = block));
    emptied text[];
  BEGIN
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
    ), fresh AS MATERIALIZED (
      SELECT term, ARRAY(SELECT positions[(place & 8191) + 1] + (place & 57344) FROM unnest(places) AS place) AS places
        FROM search_document_terms(ids)
      UNION ALL
      SELECT substring(field, position('/' IN field) + 1), array_agg(filed.position)
        FROM filed, unnest(fields) AS field GROUP BY field
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
  `CREATE FUNCTION search_forget(account uuid, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
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
      DELETE FROM search_postings WHERE block_id = ANY (emptied);
      DELETE FROM search_bitmaps WHERE block_id = ANY (emptied);
      UPDATE search_blocks SET used = B'', live = B'', deleted = B'', first_updated_at = 'infinity',
             last_updated_at = '-infinity' WHERE id = ANY (emptied);
    END IF;
  END
  $$`,
];
