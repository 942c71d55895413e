import type { SchemaArea } from './schema-area.js';

/**
 * The search index: its tables, the triggers that note what has to be indexed, and the functions that keep and read it
 * (docs/adr/0022-search-and-filters.md). Written out by PostgreSQL, without comments.
 */
export const SEARCH: SchemaArea = {
  up: `
CREATE TABLE search_changes (
  account_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  document_id uuid NOT NULL,
  noted_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT search_changes_pkey PRIMARY KEY (account_id, id)
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

CREATE TABLE search_blocks (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  first_created_at timestamptz(3) NOT NULL,
  first_id uuid NOT NULL,
  first_updated_at timestamptz(3) NOT NULL,
  last_updated_at timestamptz(3) NOT NULL,
  used bit varying NOT NULL,
  live bit varying NOT NULL,
  deleted bit varying NOT NULL,
  CONSTRAINT search_blocks_pkey PRIMARY KEY (id)
);

ALTER TABLE search_blocks
  ALTER live SET STORAGE PLAIN;

CREATE UNIQUE INDEX search_blocks_account_id_key ON search_blocks (account_id, first_created_at, first_id);

CREATE TABLE search_entries (
  document_id uuid NOT NULL,
  block_id integer NOT NULL,
  position smallint NOT NULL,
  deleted boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  facets text[] NOT NULL,
  CONSTRAINT search_entries_pkey PRIMARY KEY (document_id) INCLUDE (block_id, "position")
);

CREATE UNIQUE INDEX search_entries_position_key ON search_entries (block_id, "position");

CREATE INDEX search_entries_created_at_idx ON search_entries (block_id, created_at, document_id) INCLUDE ("position");

CREATE TABLE search_postings (
  block_id integer NOT NULL,
  term text COLLATE "C" NOT NULL,
  places integer[] NOT NULL,
  CONSTRAINT search_postings_pkey PRIMARY KEY (block_id, term)
) WITH (fillfactor=90);

CREATE TABLE search_bitmaps (
  block_id integer NOT NULL,
  term text COLLATE "C" NOT NULL,
  bits bit varying NOT NULL,
  in_title bit varying,
  low bit varying,
  high bit varying,
  CONSTRAINT search_bitmaps_pkey PRIMARY KEY (block_id, term)
) WITH (fillfactor=80);

ALTER TABLE search_bitmaps
  ALTER bits SET STORAGE MAIN,
  ALTER in_title SET STORAGE MAIN,
  ALTER low SET STORAGE MAIN,
  ALTER high SET STORAGE MAIN;

CREATE TABLE search_counts (
  account_id uuid NOT NULL,
  deleted boolean NOT NULL,
  facet text NOT NULL,
  term text COLLATE "C" NOT NULL,
  documents integer NOT NULL,
  CONSTRAINT search_counts_pkey PRIMARY KEY (account_id, deleted, term)
) WITH (fillfactor=80);

CREATE INDEX search_counts_documents_idx ON search_counts (account_id, deleted, facet, documents DESC, term);

CREATE TABLE search_values (
  account_id uuid NOT NULL,
  term text COLLATE "C" NOT NULL,
  block_id integer NOT NULL,
  places integer[],
  bits bit varying,
  CONSTRAINT search_values_pkey PRIMARY KEY (account_id, term, block_id),
  CONSTRAINT search_values_one_form_check CHECK (((places IS NULL) <> (bits IS NULL)))
) WITH (fillfactor=80);

ALTER TABLE search_values
  ALTER term SET STORAGE PLAIN,
  ALTER places SET STORAGE PLAIN,
  ALTER bits SET STORAGE PLAIN;

CREATE INDEX search_values_block_id_idx ON search_values (block_id);

CREATE TABLE search_orders (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  sort text NOT NULL,
  is_complete boolean NOT NULL,
  sliced integer NOT NULL,
  most_sliced integer NOT NULL,
  CONSTRAINT search_orders_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX search_orders_account_id_key ON search_orders (account_id, sort, is_complete);

CREATE TABLE search_parts (
  order_id integer NOT NULL,
  first_key text COLLATE "C" NOT NULL,
  part smallint NOT NULL,
  CONSTRAINT search_parts_pkey PRIMARY KEY (order_id, first_key) INCLUDE (part)
);

CREATE TABLE search_slices (
  order_id integer NOT NULL,
  digit smallint NOT NULL,
  block_id integer NOT NULL,
  bits bit varying NOT NULL,
  CONSTRAINT search_slices_pkey PRIMARY KEY (order_id, digit, block_id)
) WITH (fillfactor=80);

ALTER TABLE search_slices
  ALTER bits SET STORAGE PLAIN;

CREATE INDEX search_slices_block_id_idx ON search_slices (block_id);

CREATE TABLE search_progress (
  account_id uuid NOT NULL,
  epoch uuid NOT NULL,
  changes bigint NOT NULL,
  newest timestamptz(3) NOT NULL,
  CONSTRAINT search_progress_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=50);

CREATE TABLE unsearchable_documents (
  document_id uuid NOT NULL,
  account_id uuid NOT NULL,
  reason text NOT NULL,
  set_aside_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT unsearchable_documents_pkey PRIMARY KEY (document_id)
);

CREATE INDEX unsearchable_documents_account_id_idx ON unsearchable_documents (account_id);

-- Functions name others that are made further down.
SET LOCAL check_function_bodies = off;

CREATE FUNCTION search_configuration(ai_settings json)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    language text := lower(btrim(ai_settings ->> 'language'));
  BEGIN
    IF language IS NULL OR language IN ('', 'auto') THEN RETURN 'english'; END IF;
    RETURN CASE substring(language FROM '^[a-z]+')
      WHEN 'ar' THEN 'arabic' WHEN 'arabic' THEN 'arabic'
      WHEN 'hy' THEN 'armenian' WHEN 'armenian' THEN 'armenian'
      WHEN 'eu' THEN 'basque' WHEN 'basque' THEN 'basque'
      WHEN 'ca' THEN 'catalan' WHEN 'catalan' THEN 'catalan'
      WHEN 'da' THEN 'danish' WHEN 'danish' THEN 'danish'
      WHEN 'nl' THEN 'dutch' WHEN 'dutch' THEN 'dutch'
      WHEN 'en' THEN 'english' WHEN 'english' THEN 'english'
      WHEN 'fi' THEN 'finnish' WHEN 'finnish' THEN 'finnish'
      WHEN 'fr' THEN 'french' WHEN 'french' THEN 'french'
      WHEN 'de' THEN 'german' WHEN 'german' THEN 'german'
      WHEN 'el' THEN 'greek' WHEN 'greek' THEN 'greek'
      WHEN 'hi' THEN 'hindi' WHEN 'hindi' THEN 'hindi'
      WHEN 'hu' THEN 'hungarian' WHEN 'hungarian' THEN 'hungarian'
      WHEN 'id' THEN 'indonesian' WHEN 'indonesian' THEN 'indonesian'
      WHEN 'ga' THEN 'irish' WHEN 'irish' THEN 'irish'
      WHEN 'it' THEN 'italian' WHEN 'italian' THEN 'italian'
      WHEN 'lt' THEN 'lithuanian' WHEN 'lithuanian' THEN 'lithuanian'
      WHEN 'ne' THEN 'nepali' WHEN 'nepali' THEN 'nepali'
      WHEN 'no' THEN 'norwegian' WHEN 'norwegian' THEN 'norwegian'
      WHEN 'nb' THEN 'norwegian' WHEN 'norwegian' THEN 'norwegian'
      WHEN 'nn' THEN 'norwegian' WHEN 'norwegian' THEN 'norwegian'
      WHEN 'pt' THEN 'portuguese' WHEN 'portuguese' THEN 'portuguese'
      WHEN 'ro' THEN 'romanian' WHEN 'romanian' THEN 'romanian'
      WHEN 'ru' THEN 'russian' WHEN 'russian' THEN 'russian'
      WHEN 'sr' THEN 'serbian' WHEN 'serbian' THEN 'serbian'
      WHEN 'es' THEN 'spanish' WHEN 'spanish' THEN 'spanish'
      WHEN 'sv' THEN 'swedish' WHEN 'swedish' THEN 'swedish'
      WHEN 'ta' THEN 'tamil' WHEN 'tamil' THEN 'tamil'
      WHEN 'tr' THEN 'turkish' WHEN 'turkish' THEN 'turkish'
      WHEN 'yi' THEN 'yiddish' WHEN 'yiddish' THEN 'yiddish'
      ELSE 'simple' END;
  END
  $$;

CREATE FUNCTION search_runs(value text)
 RETURNS SETOF text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN RETURN; END IF;
    RETURN QUERY SELECT match[1] FROM regexp_matches(search_composed(value), '[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]+', 'g') AS match;
  END
  $$;

CREATE FUNCTION search_terms(configuration text, token text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT term FROM search_token_terms(configuration, string_to_array(search_spelling(token), ' '))
  $$;

CREATE FUNCTION search_field(field text, value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN octet_length(field) + octet_length(value) <= 500 THEN field || '=' || value
                ELSE '#' || encode(sha256(convert_to(field || '=' || value, 'UTF8')), 'hex') END
  $$;

CREATE FUNCTION search_metadata_field(path text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT 'metadata' || length(path) || ':' || path
  $$;

CREATE FUNCTION json_leaves(value json, prefix text DEFAULT ''::text)
 RETURNS TABLE(path text, leaf text)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    member record;
  BEGIN
    FOR member IN SELECT key, each.value, json_typeof(each.value) AS kind FROM json_each(value) AS each LOOP
      path := prefix || member.key;
      IF member.kind = 'object' THEN
        RETURN QUERY SELECT * FROM json_leaves(member.value, path || '.');
      ELSIF member.kind = 'array' THEN
        RETURN QUERY SELECT * FROM json_items(member.value, path);
      ELSIF member.kind <> 'null' THEN
        leaf := member.value #>> '{}';
        RETURN NEXT;
      END IF;
    END LOOP;
  END
  $$;

CREATE FUNCTION json_items(list json, list_path text)
 RETURNS TABLE(path text, leaf text)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    item record;
  BEGIN
    FOR item IN SELECT value, json_typeof(value) AS kind FROM json_array_elements(list) LOOP
      path := list_path;
      IF item.kind = 'object' THEN
        RETURN QUERY SELECT * FROM json_leaves(item.value, list_path || '.');
      ELSIF item.kind = 'array' THEN
        RETURN QUERY SELECT * FROM json_items(item.value, list_path);
      ELSIF item.kind <> 'null' THEN
        leaf := item.value #>> '{}';
        RETURN NEXT;
      END IF;
    END LOOP;
  END
  $$;

CREATE FUNCTION search_fields(document documents)
 RETURNS TABLE(facet text, term text)
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $$
  DECLARE
    updated timestamp := document.updated_at AT TIME ZONE 'UTC';
  BEGIN
    term := search_field('createdBy', document.created_by::text); RETURN NEXT;
    IF document.template_id IS NOT NULL THEN
      term := search_field('templateId', document.template_id::text); RETURN NEXT;
    END IF;
    term := search_field('day', to_char(updated, 'YYYYMMDD')); RETURN NEXT;
    term := search_field('hour', to_char(updated, 'YYYYMMDDHH24')); RETURN NEXT;
    facet := 'type'; term := search_field('type', document.type); RETURN NEXT;
    facet := 'status'; term := search_field('status', document.status); RETURN NEXT;
    facet := 'language'; term := search_field('language', search_configuration(document.ai_settings)); RETURN NEXT;
    RETURN QUERY
    SELECT CASE WHEN leaves.term LIKE '#%' THEN NULL WHEN path = 'tags' THEN 'tag'
                WHEN path IN ('department', 'project') THEN path END, leaves.term
      FROM (SELECT DISTINCT path, search_field(search_metadata_field(path), leaf) AS term
              FROM json_leaves(document.metadata)) AS leaves;
  END
  $$;

CREATE FUNCTION search_width(bits bit varying, positions integer)
 RETURNS bit varying
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN length(bits) = positions THEN bits WHEN positions <= 1024 THEN bits::bit(1024) ELSE bits::bit(8192) END
  $$;

CREATE FUNCTION search_document_terms(ids uuid[])
 RETURNS TABLE(term text, places integer[])
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    WITH document AS (
      SELECT wanted.n::integer - 1 AS n, search_configuration(item.ai_settings) AS configuration, item.title,
             CASE WHEN aside.document_id IS NULL THEN item.content ELSE '' END AS content
        FROM unnest(ids) WITH ORDINALITY AS wanted(id, n)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = wanted.id LIMIT 1) AS item
        LEFT JOIN unsearchable_documents AS aside ON aside.document_id = wanted.id
    ), place AS (
      SELECT document.n, one.term, one.is_in_title, one.times
        FROM document CROSS JOIN LATERAL (
          WITH token AS MATERIALIZED (
            SELECT token, row_number() OVER (ORDER BY min(at)) AS n, min(at) < 0 AS is_in_title, least(count(*), 8) AS times
              FROM (SELECT token, at - 1000000000 AS at FROM unnest(string_to_array(search_spelling(title), ' ')) WITH ORDINALITY AS part(token, at)
                    UNION ALL
                    SELECT token, at FROM unnest(string_to_array(search_spelling(content), ' ')) WITH ORDINALITY AS part(token, at)) AS part
             WHERE token <> '' GROUP BY token ORDER BY min(at) LIMIT 30000
          )
          SELECT hit.term, bool_or(token.is_in_title) AS is_in_title, sum(token.times) AS times
            FROM search_token_terms(configuration, (SELECT array_agg(token ORDER BY n) FROM token)) AS hit JOIN token USING (n)
           GROUP BY hit.term ORDER BY min(hit.n) LIMIT 30000
        ) AS one
    )
    SELECT term, array_agg(n + CASE WHEN is_in_title THEN 32768 ELSE 0 END
             + CASE WHEN times < 2 THEN 0 WHEN times < 4 THEN 8192 WHEN times < 8 THEN 16384 ELSE 24576 END)
      FROM place GROUP BY term;
  END
  $$;

CREATE FUNCTION search_fill(account uuid, block integer, ids uuid[], positions integer[])
 RETURNS void
 LANGUAGE plpgsql
 SET work_mem TO '32MB'
AS $$
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
        FROM (SELECT coalesce(search_bits(filed.position, 1) FILTER (WHERE NOT filed.deleted), B'0'::bit(8192)) AS live,
                     coalesce(search_bits(filed.position, 1) FILTER (WHERE filed.deleted), B'0'::bit(8192)) AS deleted,
                     min(updated_at) AS first_updated_at, max(updated_at) AS last_updated_at
                FROM filed) AS fresh
       WHERE old.id = block
    ), field AS MATERIALIZED (
      SELECT substring(field, position('/' IN field) + 1) AS term, array_agg(filed.position) AS places
        FROM filed, unnest(fields) AS field GROUP BY field
    ), valued AS (
      INSERT INTO search_values AS old (account_id, term, block_id, places, bits)
      SELECT account, term, block, CASE WHEN cardinality(places) <= 16 THEN places END,
             CASE WHEN cardinality(places) > 16 THEN search_width((SELECT search_bits(place, 1) FROM unnest(places) AS place), width) END
        FROM field WHERE term ~ '^(type|status|language|metadata4:tags|metadata10:department|metadata7:project)='
      ON CONFLICT (account_id, term, block_id) DO UPDATE
         SET places = CASE WHEN cardinality(old.places) + cardinality(EXCLUDED.places) <= 16 THEN old.places || EXCLUDED.places END,
             bits = CASE WHEN cardinality(old.places) + cardinality(EXCLUDED.places) <= 16 THEN NULL
                         ELSE search_width(coalesce(old.bits, search_bits_of(old.places)), width)
                            | search_width(coalesce(EXCLUDED.bits, search_bits_of(EXCLUDED.places)), width) END
    ), fresh AS MATERIALIZED (
      SELECT term, ARRAY(SELECT positions[(place & 8191) + 1] + (place & 57344) FROM unnest(places) AS place) AS places
        FROM search_document_terms(ids)
      UNION ALL
      SELECT term, places FROM field WHERE NOT term ~ '^(type|status|language|metadata4:tags|metadata10:department|metadata7:project)='
    ), listed AS (
      INSERT INTO search_postings AS old (block_id, term, places)
      SELECT block, term, places FROM fresh WHERE cardinality(places) <= 16
      ON CONFLICT (block_id, term) DO UPDATE SET places = old.places || EXCLUDED.places
      RETURNING term, places
    ), mapped AS (
      INSERT INTO search_bitmaps AS old (block_id, term, bits, in_title, low, high)
      SELECT block, term, search_width(search_bits(spot & 8191, 1), width) AS bits,
             search_width(search_bits(spot & 8191, 1) FILTER (WHERE spot & 32768 > 0), width) AS in_title,
             search_width(search_bits(spot & 8191, 1) FILTER (WHERE spot & 8192 > 0), width) AS low,
             search_width(search_bits(spot & 8191, 1) FILTER (WHERE spot & 16384 > 0), width) AS high
        FROM (SELECT * FROM fresh UNION ALL SELECT * FROM listed) AS grown, unnest(places) AS spot
       WHERE cardinality(places) > 16
       GROUP BY term
      ON CONFLICT (block_id, term) DO UPDATE
         SET bits = search_width(old.bits, width) | EXCLUDED.bits,
             in_title = coalesce(search_width(old.in_title, width) | EXCLUDED.in_title, old.in_title, EXCLUDED.in_title), low = coalesce(search_width(old.low, width) | EXCLUDED.low, old.low, EXCLUDED.low), high = coalesce(search_width(old.high, width) | EXCLUDED.high, old.high, EXCLUDED.high)
      RETURNING term
    )
    SELECT array_agg(term) INTO emptied FROM mapped;
    UPDATE search_postings SET places = '{}'
     WHERE block_id = block AND term = ANY (emptied) AND cardinality(places) > 16;
  END
  $$;

CREATE FUNCTION search_forget(account uuid, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $$
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
  $$;

CREATE FUNCTION search_new_block(account uuid, first_at timestamp with time zone, first uuid)
 RETURNS integer
 LANGUAGE sql
AS $$
    INSERT INTO search_blocks (account_id, first_created_at, first_id, first_updated_at, last_updated_at, used, live,
                               deleted)
    VALUES (account, first_at, first, 'infinity', '-infinity', B'', B'', B'') RETURNING id
  $$;

CREATE FUNCTION search_restrict(block integer, kept bit varying)
 RETURNS void
 LANGUAGE plpgsql
AS $$
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
  $$;

CREATE FUNCTION search_split(block integer)
 RETURNS void
 LANGUAGE plpgsql
AS $$
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
    SELECT half, term, search_width(bits, 8192), in_title, low, high FROM search_bitmaps WHERE block_id = block;
    INSERT INTO search_postings (block_id, term, places)
    SELECT half, term, places FROM search_postings WHERE block_id = block;
    UPDATE search_entries SET block_id = half
     WHERE block_id = block AND (created_at, document_id) >= (middle.created_at, middle.document_id);
    PERFORM search_restrict(half, moved);
    PERFORM search_restrict(block, (SELECT (live | deleted) & ~moved FROM search_blocks WHERE id = block));
  END
  $$;

CREATE FUNCTION search_add(account uuid, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $$
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
      free := ARRAY(SELECT search_positions(~(block.used::bit(8192)))
        LIMIT least(1024, CASE WHEN is_newest THEN greatest(7168 - bit_count(block.used), 0) END));
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
      ELSIF bit_count(block.used) - bit_count(block.live | block.deleted) >= 1024 THEN
        PERFORM search_restrict(block.id, block.live | block.deleted);
      ELSIF is_newest THEN
        PERFORM search_new_block(account, next.created_at, next.id);
      ELSE
        PERFORM search_split(block.id);
      END IF;
    END LOOP;
  END
  $$;

CREATE FUNCTION search_renew(account uuid, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET jit TO 'off'
AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM search_forget(account, ids);
    IF NOT EXISTS (SELECT FROM search_blocks WHERE account_id = account) THEN
      PERFORM search_new_block(account, '-infinity', '00000000-0000-0000-0000-000000000000');
    END IF;
    PERFORM search_add(account, ARRAY(
      SELECT id FROM documents WHERE id = ANY (ids) AND account_id = account ORDER BY created_at, id));
  END
  $$;

CREATE FUNCTION search_update(account uuid, most integer, patient boolean)
 RETURNS integer
 LANGUAGE plpgsql
AS $$
  #variable_conflict use_column
  DECLARE
    lock bigint := hashtextextended('search ' || account, 0);
    changed uuid[];
    number bigint;
    newest timestamptz;
  BEGIN
    IF patient THEN PERFORM pg_advisory_xact_lock(lock);
    ELSIF NOT pg_try_advisory_xact_lock(lock) THEN RETURN -1; END IF;
    WITH oldest AS (
      SELECT change.id, (octet_length(item.content) + octet_length(item.metadata::text)) AS bytes, sum((octet_length(item.content) + octet_length(item.metadata::text))) OVER (ORDER BY change.id) AS upto
        FROM (SELECT * FROM search_changes WHERE account_id = account ORDER BY id LIMIT most) AS change
        LEFT JOIN documents AS item ON item.id = change.document_id
    ), taken AS (
      DELETE FROM search_changes WHERE account_id = account
         AND id IN (SELECT id FROM oldest WHERE coalesce(upto - bytes, 0) < 524288)
      RETURNING document_id, noted_at
    ), tried AS (
      -- What changed since it was set aside is tried again.
      DELETE FROM unsearchable_documents AS aside USING taken
       WHERE aside.document_id = taken.document_id AND aside.set_aside_at < taken.noted_at
    )
    SELECT array_agg(DISTINCT document_id), count(*), max(noted_at) INTO changed, number, newest FROM taken;
    IF changed IS NULL THEN RETURN 0; END IF;
    PERFORM search_renew(account, changed);
    PERFORM search_proceed(account, number, newest);
    RETURN cardinality(changed);
  END
  $$;

CREATE FUNCTION note_search_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
  #variable_conflict use_column
  DECLARE
    noted integer;
    busy record;
    number bigint;
    newest timestamptz;
  BEGIN
    INSERT INTO search_changes (account_id, document_id) SELECT account_id, id FROM changed;
    GET DIAGNOSTICS noted = ROW_COUNT;
    IF noted < 500 THEN RETURN NULL; END IF;
    FOR busy IN
      SELECT account_id AS account, array_agg(id ORDER BY created_at, id) AS ids FROM changed AS item
       GROUP BY account_id HAVING count(*) >= 500 AND (TG_OP = 'DELETE' OR sum((octet_length(item.content) + octet_length(item.metadata::text))) <= 524288)
    LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(hashtextextended('search ' || busy.account, 0));
      WITH taken AS (
        DELETE FROM search_changes WHERE account_id = busy.account AND document_id = ANY (busy.ids) RETURNING noted_at
      )
      SELECT count(*), max(noted_at) INTO number, newest FROM taken;
      FOR part IN 0 .. (cardinality(busy.ids) - 1) / 8192 LOOP
        PERFORM search_renew(busy.account, busy.ids[part * 8192 + 1 : (part + 1) * 8192]);
      END LOOP;
      PERFORM search_proceed(busy.account, number, newest);
    END LOOP;
    RETURN NULL;
  END
  $$;

CREATE FUNCTION search_positions(bits bit varying)
 RETURNS SETOF integer
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  #variable_conflict use_column
  DECLARE
    passed integer := 0;
    step integer;
  BEGIN
    LOOP
      step := position(B'1' IN substring(bits, passed + 1));
      EXIT WHEN step = 0;
      passed := passed + step;
      RETURN NEXT passed - 1;
    END LOOP;
  END
  $$;

CREATE FUNCTION search_pattern(configuration text, phrase text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN bool_or(is_sign AND n = 1) THEN '(' ELSE '(?:^|[\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff])(' END
        || string_agg(
             CASE WHEN n = 1 THEN '' WHEN is_sign OR is_behind_sign THEN '[\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#]*' ELSE '[\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#]+' END
             || CASE WHEN is_sign THEN part
                     WHEN part IS NULL THEN '[^\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]+'
                     WHEN configuration = 'simple' THEN '(?:' || (SELECT string_agg(regexp_replace(
                 CASE WHEN configuration = 'simple' THEN form ELSE left(form, greatest(length(form) - 2, 1)) END, '([aou])e', '\\1e?', 'g'), '|')
               FROM unnest(string_to_array(part, '|')) AS form) || ')'
                     -- English stems differ from their words in the last two letters at most: happy and happi, dying and die.
                     ELSE '(?:' || (SELECT string_agg(regexp_replace(
                 CASE WHEN configuration = 'simple' THEN form ELSE left(form, greatest(length(form) - 2, 1)) END, '([aou])e', '\\1e?', 'g'), '|')
               FROM unnest(string_to_array(part, '|')) AS form) || ')' || '[^\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]*' END, '' ORDER BY n)
        || CASE WHEN bool_or(is_sign AND n = cardinality(phrase)) THEN ')' ELSE ')(?![^\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff])' END
      FROM (SELECT *, coalesce(part ~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]', false) AS is_sign,
                   coalesce(lag(part) OVER (ORDER BY n) ~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]', false) AS is_behind_sign
              FROM unnest(phrase) WITH ORDINALITY AS one(part, n)) AS one
     WHERE configuration IN ('english', 'simple')
  $$;

CREATE FUNCTION search_follow(configuration text, words text[], phrase text[])
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    wanted text[] := ARRAY(SELECT DISTINCT unnest(string_to_array(part, '|')) FROM unnest(phrase) AS part);
    word text;
    forms text[];
    -- The parts of the phrase that can end at the word before, and at this one.
    ended integer[] := '{}';
    ends integer[];
  BEGIN
    FOREACH word IN ARRAY words LOOP
      forms := CASE WHEN word ~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]' THEN ARRAY[word] ELSE search_forms(configuration, word) END;
      IF ended = '{}' AND NOT forms && wanted THEN CONTINUE; END IF;
      ends := ARRAY(
        SELECT part FROM generate_subscripts(phrase, 1) AS part
         WHERE (part = 1 OR part - 1 = ANY (ended))
           AND CASE WHEN phrase[part] IS NULL THEN word !~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]' ELSE forms && string_to_array(phrase[part], '|') END);
      IF cardinality(phrase) = ANY (ends) THEN RETURN true; END IF;
      ended := ends;
    END LOOP;
    RETURN false;
  END
  $$;

CREATE FUNCTION search_has_phrase(configuration text, value text, phrase text[], pattern text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    found text;
  BEGIN
    IF pattern IS NOT NULL THEN
      found := substring(search_folded(lower(search_composed(value COLLATE "default"))) FROM pattern);
      IF found IS NULL THEN RETURN false; END IF;
      IF search_follow(configuration, search_sequence(found), phrase) THEN RETURN true; END IF;
    END IF;
    RETURN search_follow(configuration, search_sequence(value), phrase);
  END
  $$;

CREATE FUNCTION search_afford(texts bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  BEGIN
    IF texts > 10000 THEN
      RAISE EXCEPTION 'the search would have to read too many texts' USING ERRCODE = 'SB002';
    END IF;
    RETURN true;
  END
  $$;

CREATE FUNCTION search_has_run(value text, run text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT strpos(value, run) > 0
        OR (octet_length(value) > length(value) AND strpos(search_composed(value), run) > 0)
  $$;

CREATE FUNCTION search_literals(request json, configurations text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $$
#variable_conflict use_column
DECLARE
  filters text[] := ARRAY(
    SELECT search_field(CASE WHEN filter ->> 0 = 'metadata' THEN search_metadata_field(filter ->> 1)
                             ELSE filter ->> 0 END, filter ->> 2)
      FROM json_array_elements(request -> 'filters') AS filter);
  literals jsonb;
BEGIN
  IF request ->> 'groups' IS NULL THEN
    RETURN jsonb_build_array(
      jsonb_build_object('branch', 1, 'number', 0, 'negated', false, 'terms', to_jsonb(filters)));
  END IF;
  WITH asked AS (
    SELECT language.n * 1000 + alternative.n AS branch, configuration, literal.n AS number,
           (literal.value ->> 'negated')::boolean AS negated, literal.value ->> 'text' AS words,
           (literal.value ->> 'phrase')::boolean AS quoted,
           coalesce((literal.value ->> 'loose')::boolean, false) AS loose
      FROM unnest(configurations) WITH ORDINALITY AS language(configuration, n)
      CROSS JOIN json_array_elements(request -> 'groups') WITH ORDINALITY AS alternative(value, n)
      CROSS JOIN json_array_elements(alternative.value) WITH ORDINALITY AS literal(value, n)
  ), known AS (
    SELECT asked.*, search_asked_terms(configuration, words) AS terms,
           ARRAY(SELECT run FROM search_runs(words) AS run WHERE length(run) > 2 AND NOT loose) AS runs,
           CASE WHEN quoted AND NOT loose THEN search_phrase(configuration, words) END AS phrase
      FROM asked
  )
  SELECT jsonb_agg(to_jsonb(literal)) INTO literals FROM (
    SELECT branch, number, negated, configuration, terms, phrase, search_pattern(configuration, phrase) AS pattern,
           nullif(runs, '{}') AS runs,
           CASE WHEN phrase IS NOT NULL AND configuration NOT IN ('english', 'simple') THEN 10 ELSE 1 END AS cost
      FROM known WHERE terms <> '{}'
    UNION ALL
    SELECT DISTINCT branch, 0, false, configuration,
           filters || CASE WHEN cardinality(configurations) > 1 THEN ARRAY['language=' || configuration]
                           ELSE '{}' END, NULL::text[], NULL, NULL::text[], 0
      FROM known WHERE terms <> '{}') AS literal;
  RETURN coalesce(literals, '[]');
END
$$;

CREATE FUNCTION search_asked_terms(configuration text, words text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $$
  DECLARE
    token text;
    spoken text[];
    terms text[] := '{}';
  BEGIN
    FOREACH token IN ARRAY string_to_array(search_spelling(words), ' ') LOOP
      spoken := ARRAY(
        SELECT (SELECT string_agg(configuration || ':' || form, '|' ORDER BY n)
                  FROM unnest(search_forms(configuration, word)) WITH ORDINALITY AS one(form, n))
          FROM unnest(string_to_array(token, '-')) AS part, rtrim(part, '+#') AS word
         WHERE word !~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]' AND word <> '' AND octet_length(word) <= 255
           AND NOT search_is_stop_word(configuration, word));
      IF spoken = '{}' THEN
        spoken := ARRAY(SELECT term FROM search_token_terms(configuration, ARRAY[token]) WHERE term ~ '^\\w+:.*[ +#]');
      END IF;
      terms := terms || spoken;
    END LOOP;
    RETURN ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term)
        || ARRAY(SELECT DISTINCT 'gram:' || CASE WHEN length(run) = 1 THEN run ELSE substring(run, at, 2) END
                   FROM search_runs(words) AS run, generate_series(1, least(greatest(length(run) - 1, 1), 16)) AS at);
  END
  $$;

CREATE FUNCTION search_phrase(configuration text, words text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $$
  #variable_conflict use_column
  DECLARE
    phrase text[] := ARRAY(
      SELECT CASE WHEN word ~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]' THEN word
                  WHEN NOT search_is_stop_word(configuration, word) THEN array_to_string(search_forms(configuration, word), '|') END
        FROM unnest(search_sequence(words)) WITH ORDINALITY AS part(word, n) ORDER BY n);
  BEGIN
    WHILE cardinality(phrase) > 0 AND phrase[1] IS NULL LOOP phrase := phrase[2 : ]; END LOOP;
    WHILE cardinality(phrase) > 0 AND phrase[cardinality(phrase)] IS NULL LOOP
      phrase := phrase[ : cardinality(phrase) - 1];
    END LOOP;
    RETURN CASE WHEN cardinality(phrase) > 1 AND btrim(words) !~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]+$' THEN phrase END;
  END
  $$;

CREATE FUNCTION search_updated(block integer, range_from timestamp with time zone, range_to timestamp with time zone)
 RETURNS bit varying
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  DECLARE
    -- What is infinite has no digits.
    low timestamp := greatest(range_from, '0001-01-01Z') AT TIME ZONE 'UTC';
    high timestamp := least(range_to, '9999-12-31Z') AT TIME ZONE 'UTC';
    hour_from timestamp := date_trunc('hour', low + interval '1 hour - 1 microsecond');
    hour_to timestamp := date_trunc('hour', high);
    day_from timestamp := date_trunc('day', low + interval '1 day - 1 microsecond');
    day_to timestamp := date_trunc('day', high);
    ranges text[][];
    edges text[];
    bits bit varying;
  BEGIN
    IF day_from >= day_to THEN
      ranges := ARRAY[['hour', to_char(hour_from, 'YYYYMMDDHH24'), to_char(hour_to, 'YYYYMMDDHH24')]];
    ELSE
      ranges := ARRAY[['hour', to_char(hour_from, 'YYYYMMDDHH24'), to_char(day_from, 'YYYYMMDDHH24')],
                      ['day', to_char(day_from, 'YYYYMMDD'), to_char(day_to, 'YYYYMMDD')],
                      ['hour', to_char(day_to, 'YYYYMMDDHH24'), to_char(hour_to, 'YYYYMMDDHH24')]];
    END IF;
    edges := ARRAY['hour=' || to_char(low, 'YYYYMMDDHH24'), 'hour=' || to_char(high, 'YYYYMMDDHH24')];
    SELECT bit_or(part.bits) INTO bits FROM (
      SELECT bitmap.bits::bit(8192) FROM generate_subscripts(ranges, 1) AS i
        JOIN search_bitmaps AS bitmap ON block_id = block
         AND term >= ranges[i][1] || '=' || ranges[i][2] AND term < ranges[i][1] || '=' || ranges[i][3]
      UNION ALL
      SELECT search_bits(place & 8191, 1) FROM generate_subscripts(ranges, 1) AS i
        JOIN search_postings AS list ON block_id = block
         AND term >= ranges[i][1] || '=' || ranges[i][2] AND term < ranges[i][1] || '=' || ranges[i][3]
        CROSS JOIN unnest(places) AS place
      UNION ALL
      SELECT search_bits(entry.position, 1)
        FROM (SELECT at FROM search_bitmaps AS bitmap, search_positions(bitmap.bits) AS at
               WHERE block_id = block AND term = ANY (edges)
              UNION
              SELECT place & 8191 FROM search_postings, unnest(places) AS place
               WHERE block_id = block AND term = ANY (edges)) AS near
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = near.at
       WHERE entry.updated_at >= range_from AND entry.updated_at < range_to) AS part(bits);
    RETURN coalesce(bits, B'0'::bit(8192));
  END
  $$;

CREATE FUNCTION search_blocks_of(account uuid, request json, waiting uuid[])
 RETURNS TABLE(id integer, place integer, width integer, bits bit varying)
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  DECLARE
    in_trash boolean := (request ->> 'deleted')::boolean;
    created_from timestamptz := coalesce(request ->> 'createdFrom', '-infinity');
    created_to timestamptz := coalesce(request ->> 'createdTo', 'infinity');
    updated_from timestamptz := coalesce(request ->> 'updatedFrom', '-infinity');
    updated_to timestamptz := coalesce(request ->> 'updatedTo', 'infinity');
  BEGIN
    RETURN QUERY
    SELECT block.id, block.place, width,
           CASE WHEN waiting IS NULL AND is_in_created AND is_in_updated THEN base.bits ELSE (
             CASE WHEN waiting IS NULL THEN base.bits
                  ELSE base.bits & ~coalesce((
                    SELECT search_width(search_bits(position, 1), width) FROM search_entries AS entry
                     WHERE document_id = ANY (waiting) AND block_id = block.id), search_width(B'', width)) END
             & CASE WHEN is_in_created THEN base.bits
                    ELSE coalesce((
                      SELECT search_width(search_bits(position, 1), width) FROM search_entries AS entry
                       WHERE block_id = block.id AND entry.created_at >= created_from AND entry.created_at < created_to
                    ), search_width(B'', width)) END
             & CASE WHEN is_in_updated THEN base.bits
                    ELSE search_width(search_updated(block.id, updated_from, updated_to), width) END)::bit varying END
      FROM (SELECT *, length(live) AS width,
                   row_number() OVER (ORDER BY first_created_at, first_id)::integer AS place,
                   lead(first_created_at, 1, 'infinity') OVER (ORDER BY first_created_at, first_id) AS next_created_at
              FROM search_blocks WHERE account_id = account) AS block
      CROSS JOIN LATERAL (
        SELECT CASE WHEN in_trash THEN deleted ELSE live END AS bits,
               first_created_at >= created_from AND (created_to = 'infinity' OR next_created_at < created_to) AS is_in_created,
               first_updated_at >= updated_from AND last_updated_at < updated_to AS is_in_updated) AS base
     WHERE width > 0 AND next_created_at >= created_from AND first_created_at < created_to
       AND last_updated_at >= updated_from AND first_updated_at < updated_to;
    IF waiting IS NOT NULL THEN
      RETURN QUERY
      SELECT 0, 0, cardinality(waiting),
             search_width(coalesce(search_bits(wanted.n::integer - 1, 1), B''), cardinality(waiting))
        FROM unnest(waiting) WITH ORDINALITY AS wanted(id, n) JOIN documents AS item ON item.id = wanted.id
       WHERE item.account_id = account AND (item.deleted_at IS NOT NULL) = in_trash
         AND item.created_at >= created_from AND item.created_at < created_to
         AND item.updated_at >= updated_from AND item.updated_at < updated_to;
    END IF;
  END
  $$;

CREATE FUNCTION search_waiting_terms(waiting uuid[], wanted text[], in_words boolean)
 RETURNS search_postings[]
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  BEGIN
    RETURN ARRAY(
      SELECT ROW(0, found.term, found.places)::search_postings FROM (
        SELECT term, places FROM search_document_terms(CASE WHEN in_words THEN waiting END)
        UNION ALL
        SELECT field.term, array_agg(one.n::integer - 1)
          FROM unnest(waiting) WITH ORDINALITY AS one(id, n)
          CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = one.id LIMIT 1) AS item
          CROSS JOIN LATERAL search_fields(item) AS field GROUP BY field.term) AS found
       WHERE found.term = ANY (wanted));
  END
  $$;

CREATE FUNCTION search_documents(block integer, bits bit varying, waiting uuid[])
 RETURNS TABLE(at integer, document_id uuid)
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  BEGIN
    IF block = 0 THEN
      RETURN QUERY SELECT one, waiting[one + 1] FROM search_positions(bits) AS one;
    ELSE
      RETURN QUERY SELECT one, entry.document_id FROM search_positions(bits) AS one
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = one;
    END IF;
  END
  $$;

CREATE FUNCTION search_add_word(sums bit varying[], bits bit varying, low bit varying, high bit varying, in_title bit varying)
 RETURNS bit varying[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    -- What a word counts, 1 to 4, digit by digit, because each is then added once; the bits of it that are in the title.
    parts bit varying[] := ARRAY[bits # low, low # high, low & high, in_title];
    digits integer[] := ARRAY[1, 2, 3, 3];
    carry bit varying;
    digit integer;
  BEGIN
    FOR part IN 1 .. 4 LOOP
      carry := parts[part];
      digit := digits[part];
      WHILE bit_count(carry) > 0 LOOP
        IF sums[digit] IS NULL THEN
          sums[digit] := carry;
          EXIT;
        END IF;
        bits := sums[digit] & carry;
        sums[digit] := sums[digit] # carry;
        carry := bits;
        digit := digit + 1;
      END LOOP;
    END LOOP;
    RETURN sums;
  END
  $$;

CREATE FUNCTION search_tiers(matched bit varying, sums bit varying[])
 RETURNS TABLE(score integer, bits bit varying)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE ROWS 10
AS $$
  DECLARE
    scores integer[] := ARRAY[0];
    parts bit varying[] := ARRAY[matched];
    numbers bigint[] := ARRAY[bit_count(matched)];
    part bit varying;
    number bigint;
  BEGIN
    FOR digit IN REVERSE coalesce(array_upper(sums, 1), 0) .. 1 LOOP
      CONTINUE WHEN sums[digit] IS NULL;
      FOR i IN 1 .. cardinality(scores) LOOP
        part := parts[i] & sums[digit];
        number := bit_count(part);
        CONTINUE WHEN number = 0;
        IF number < numbers[i] THEN
          -- The others stay behind with their score.
          scores := scores || scores[i];
          parts := parts || (parts[i] # part)::bit varying;
          numbers := numbers || (numbers[i] - number);
        END IF;
        scores[i] := scores[i] + (1 << (digit - 1));
        parts[i] := part;
        numbers[i] := number;
      END LOOP;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(scores, parts);
  END
  $$;

CREATE FUNCTION search_holds(literal jsonb, document uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  DECLARE
    texts text[] := (SELECT ARRAY[title, content] FROM documents WHERE id = document);
    run text;
    phrase text[];
  BEGIN
    FOR run IN SELECT jsonb_array_elements_text(nullif(literal -> 'runs', 'null')) LOOP
      IF NOT search_has_run(texts[1], run) AND NOT search_has_run(texts[2], run) THEN RETURN false; END IF;
    END LOOP;
    IF literal -> 'phrase' = 'null' THEN RETURN true; END IF;
    phrase := ARRAY(SELECT jsonb_array_elements_text(literal -> 'phrase'));
    RETURN search_has_phrase(literal ->> 'configuration', texts[1], phrase, literal ->> 'pattern')
        OR search_has_phrase(literal ->> 'configuration', texts[2], phrase, literal ->> 'pattern');
  END
  $$;

CREATE FUNCTION search_matches(account uuid, request json)
 RETURNS TABLE(place integer, block_id integer, score integer, documents bigint, bits bit varying, document_id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 100
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $$
  #variable_conflict use_column
  DECLARE
    waiting uuid[];
    waiting_terms search_postings[];
    literals jsonb;
    wanted_values text[];
    wanted_others text[];
    words text[];
    is_ranked boolean;
    is_plain boolean;
    block_ids integer[];
    block_places integer[];
    widths integer[];
    bitmaps bit varying[];
  BEGIN
    IF EXISTS (SELECT FROM search_changes WHERE account_id = account
               OFFSET coalesce((request ->> 'mostWaiting')::bigint, 8192)) THEN
      RAISE EXCEPTION 'too many documents wait for the search index' USING ERRCODE = 'SB001';
    END IF;
    SELECT array_agg(DISTINCT change.document_id) INTO waiting FROM search_changes AS change WHERE account_id = account;
    IF (SELECT sum(octet_length(content)) FROM unnest(waiting) AS one(id)
         CROSS JOIN LATERAL (SELECT content FROM documents WHERE id = one.id LIMIT 1) AS item
       ) > (request ->> 'mostWaitingBytes')::bigint THEN
      RAISE EXCEPTION 'too much text waits for the search index' USING ERRCODE = 'SB001';
    END IF;
    literals := search_literals(request, ARRAY(
      SELECT substring(term, 10) FROM search_counts WHERE account_id = account AND facet = 'language'
      UNION
      SELECT search_configuration(item.ai_settings) FROM unnest(waiting) AS one(id)
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = one.id LIMIT 1) AS item));
    SELECT array_agg(DISTINCT term) FILTER (WHERE term ~ '^(type|status|language|metadata4:tags|metadata10:department|metadata7:project)='), array_agg(DISTINCT term) FILTER (WHERE NOT term ~ '^(type|status|language|metadata4:tags|metadata10:department|metadata7:project)=')
      INTO wanted_values, wanted_others
      FROM jsonb_to_recordset(literals) AS literal(number integer, terms text[]), unnest(terms) AS asked, unnest(CASE WHEN number > 0 THEN string_to_array(asked, '|') ELSE ARRAY[asked] END) AS term;
    -- The first words of the search, in each language: a document has terms of its own language only.
    SELECT array_agg(DISTINCT term) INTO words FROM (
      SELECT split_part(term, '|', 1) AS term, dense_rank() OVER (PARTITION BY configuration ORDER BY branch, number, term) AS n
        FROM jsonb_to_recordset(literals) AS literal(
          configuration text, branch integer, number integer, negated boolean, terms text[]), unnest(terms) AS term
       WHERE number > 0 AND NOT negated) AS one WHERE n <= 8;
    IF waiting IS NOT NULL THEN
      waiting_terms := search_waiting_terms(waiting, wanted_values || wanted_others, request ->> 'groups' IS NOT NULL);
    END IF;
    IF literals = '[]' THEN
      -- Nothing can be searched for: a search for stop words finds nothing.
      RETURN;
    END IF;
    is_ranked := words IS NOT NULL AND (request ->> 'ranked')::boolean;
    -- All terms must be there, as in most requests.
    is_plain := (
      SELECT bool_and(NOT negated AND phrase IS NULL AND runs IS NULL AND (number = 0 OR strpos(array_to_string(terms, ' '), '|') = 0))
             AND count(DISTINCT branch) = 1
        FROM jsonb_to_recordset(literals) AS literal(branch integer, number integer, negated boolean, terms text[], phrase text[], runs text[]));
    IF is_plain AND NOT is_ranked THEN
      -- In one go: bitmaps that are put into arrays and taken out again are copied each time.
      RETURN QUERY
      WITH block AS MATERIALIZED (
        SELECT * FROM search_blocks_of(account, request, waiting) AS block WHERE bit_count(block.bits) > 0
      ), tier AS (
        SELECT *, 0 AS score FROM (
        SELECT block.id, block.place, block.width, block.bits & found.bits AS bits
          FROM block JOIN (
            SELECT id, bit_and(found.bits) AS bits FROM (
      SELECT block.id, wanted.term, search_width(value.bits, width) AS bits
        FROM block CROSS JOIN unnest(wanted_values) AS wanted(term)
        CROSS JOIN LATERAL (
          SELECT CASE WHEN bits IS NULL THEN (SELECT search_bits(place, 1) FROM unnest(places) AS place) ELSE bits END AS bits FROM search_values AS value
           WHERE value.account_id = account AND value.term = wanted.term AND value.block_id = block.id LIMIT 1) AS value
      UNION ALL
      SELECT block.id, wanted.term, coalesce(many.bits | few.bits, many.bits, few.bits)
        FROM block CROSS JOIN unnest(wanted_others) AS wanted(term)
        LEFT JOIN LATERAL (
          SELECT search_width(bitmap.bits, width) AS bits FROM search_bitmaps AS bitmap
           WHERE bitmap.block_id = block.id AND bitmap.term = wanted.term LIMIT 1) AS many ON true
        LEFT JOIN LATERAL (
          SELECT search_width(search_bits(spot & 8191, 1), width) AS bits
            FROM (SELECT places FROM search_postings AS list
                   WHERE list.block_id = block.id AND list.term = wanted.term LIMIT 1) AS list, unnest(places) AS spot
          HAVING count(*) > 0) AS few ON true
       WHERE block.id > 0 AND (many.bits IS NOT NULL OR few.bits IS NOT NULL)
      UNION ALL
      SELECT 0, term, search_width(search_bits(spot & 8191, 1), width)
        FROM block JOIN unnest(waiting_terms) AS list ON block.id = 0 CROSS JOIN unnest(places) AS spot
       GROUP BY term, width) AS found
             GROUP BY id HAVING count(*) = cardinality(wanted_values || wanted_others)) AS found USING (id)
        UNION ALL
        SELECT * FROM block WHERE wanted_values IS NULL AND wanted_others IS NULL) AS matched WHERE bit_count(bits) > 0
      )
      SELECT tier.place, tier.id, tier.score, bit_count(tier.bits), tier.bits::bit varying, NULL::uuid, NULL::timestamptz
        FROM tier WHERE tier.id > 0
      UNION ALL 
    SELECT greatest(1, (SELECT count(*)::integer FROM search_blocks AS earlier
                         WHERE earlier.account_id = account
                           AND (earlier.first_created_at, earlier.first_id) <= (item.created_at, item.id))),
           NULL, tier.score, 1, NULL, item.id, item.created_at
      FROM tier CROSS JOIN LATERAL search_documents(0, tier.bits, waiting) AS one
      JOIN documents AS item ON item.id = one.document_id
     WHERE tier.id = 0;
      RETURN;
    END IF;

    SELECT array_agg(block.id), array_agg(block.place), array_agg(block.width), array_agg(block.bits)
      INTO block_ids, block_places, widths, bitmaps
      FROM search_blocks_of(account, request, waiting) AS block WHERE bit_count(block.bits) > 0;
    IF is_plain THEN
      WITH block AS (
        SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
      ), matched AS (
        SELECT block.id, block.place, block.width, block.bits & found.bits AS bits
          FROM block JOIN (
            SELECT id, bit_and(found.bits) AS bits FROM (
      SELECT block.id, wanted.term, search_width(value.bits, width) AS bits
        FROM block CROSS JOIN unnest(wanted_values) AS wanted(term)
        CROSS JOIN LATERAL (
          SELECT CASE WHEN bits IS NULL THEN (SELECT search_bits(place, 1) FROM unnest(places) AS place) ELSE bits END AS bits FROM search_values AS value
           WHERE value.account_id = account AND value.term = wanted.term AND value.block_id = block.id LIMIT 1) AS value
      UNION ALL
      SELECT block.id, wanted.term, coalesce(many.bits | few.bits, many.bits, few.bits)
        FROM block CROSS JOIN unnest(wanted_others) AS wanted(term)
        LEFT JOIN LATERAL (
          SELECT search_width(bitmap.bits, width) AS bits FROM search_bitmaps AS bitmap
           WHERE bitmap.block_id = block.id AND bitmap.term = wanted.term LIMIT 1) AS many ON true
        LEFT JOIN LATERAL (
          SELECT search_width(search_bits(spot & 8191, 1), width) AS bits
            FROM (SELECT places FROM search_postings AS list
                   WHERE list.block_id = block.id AND list.term = wanted.term LIMIT 1) AS list, unnest(places) AS spot
          HAVING count(*) > 0) AS few ON true
       WHERE block.id > 0 AND (many.bits IS NOT NULL OR few.bits IS NOT NULL)
      UNION ALL
      SELECT 0, term, search_width(search_bits(spot & 8191, 1), width)
        FROM block JOIN unnest(waiting_terms) AS list ON block.id = 0 CROSS JOIN unnest(places) AS spot
       GROUP BY term, width) AS found
             GROUP BY id HAVING count(*) = cardinality(wanted_values || wanted_others)) AS found USING (id)
        UNION ALL
        SELECT * FROM block WHERE wanted_values IS NULL AND wanted_others IS NULL
      )
      SELECT array_agg(id), array_agg(matched.place), array_agg(width), array_agg(matched.bits)
        INTO block_ids, block_places, widths, bitmaps FROM matched WHERE bit_count(matched.bits) > 0;
    ELSE
      WITH block AS (
        SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
      ), found AS MATERIALIZED (
      SELECT block.id, wanted.term, search_width(value.bits, width) AS bits
        FROM block CROSS JOIN unnest(wanted_values) AS wanted(term)
        CROSS JOIN LATERAL (
          SELECT CASE WHEN bits IS NULL THEN (SELECT search_bits(place, 1) FROM unnest(places) AS place) ELSE bits END AS bits FROM search_values AS value
           WHERE value.account_id = account AND value.term = wanted.term AND value.block_id = block.id LIMIT 1) AS value
      UNION ALL
      SELECT block.id, wanted.term, coalesce(many.bits | few.bits, many.bits, few.bits)
        FROM block CROSS JOIN unnest(wanted_others) AS wanted(term)
        LEFT JOIN LATERAL (
          SELECT search_width(bitmap.bits, width) AS bits FROM search_bitmaps AS bitmap
           WHERE bitmap.block_id = block.id AND bitmap.term = wanted.term LIMIT 1) AS many ON true
        LEFT JOIN LATERAL (
          SELECT search_width(search_bits(spot & 8191, 1), width) AS bits
            FROM (SELECT places FROM search_postings AS list
                   WHERE list.block_id = block.id AND list.term = wanted.term LIMIT 1) AS list, unnest(places) AS spot
          HAVING count(*) > 0) AS few ON true
       WHERE block.id > 0 AND (many.bits IS NOT NULL OR few.bits IS NOT NULL)
      UNION ALL
      SELECT 0, term, search_width(search_bits(spot & 8191, 1), width)
        FROM block JOIN unnest(waiting_terms) AS list ON block.id = 0 CROSS JOIN unnest(places) AS spot
       GROUP BY term, width
      ), literal AS MATERIALIZED (
        SELECT *, CASE WHEN phrase IS NOT NULL OR runs IS NOT NULL THEN to_jsonb(literal) END AS exact
          FROM jsonb_to_recordset(literals) AS literal(
            branch integer, number integer, negated boolean, configuration text, terms text[], phrase text[],
            pattern text, runs text[], cost integer)
      ), held AS MATERIALIZED (
        SELECT id, branch, number, negated, exact, cost, bit_and(one.bits) AS bits
          FROM (SELECT id, branch, number, negated, exact, cost, terms, asked, bit_or(found.bits) AS bits
                  FROM literal CROSS JOIN unnest(terms) AS asked CROSS JOIN LATERAL unnest(CASE WHEN number > 0 THEN string_to_array(asked, '|') ELSE ARRAY[asked] END) AS term JOIN found USING (term)
                 GROUP BY id, branch, number, negated, exact, cost, terms, asked) AS one
         GROUP BY id, branch, number, negated, exact, cost, terms HAVING count(*) = cardinality(terms)
      ), scope AS (
        SELECT id, branch, bit_and(held.bits) AS bits FROM held WHERE NOT negated GROUP BY id, branch
      ), candidate AS MATERIALIZED (
        SELECT id, branch, negated, exact, cost, width,
               CASE WHEN exact IS NULL THEN held.bits
                    ELSE held.bits & block.bits & coalesce(scope.bits, block.bits) END AS bits
          FROM held JOIN block USING (id) LEFT JOIN scope USING (id, branch)
      ), checked AS (
        SELECT id, branch, negated, CASE WHEN exact IS NULL THEN candidate.bits ELSE (
                 SELECT search_width(search_bits(one.at, 1), width)
                   FROM search_documents(id, candidate.bits, waiting) AS one
                  WHERE search_holds(exact, one.document_id) HAVING count(*) > 0) END AS bits
          FROM candidate JOIN (
            SELECT search_afford(sum(one.cost * bit_count(one.bits))::bigint) AS is_affordable
              FROM candidate AS one WHERE one.exact IS NOT NULL) AS budget ON is_affordable
      ), matched AS (
        SELECT block.id, block.place, block.width,
               block.bits & coalesce(bit_and(checked.bits) FILTER (WHERE NOT checked.negated), block.bits)
               & ~coalesce(bit_or(checked.bits) FILTER (WHERE checked.negated), block.bits & ~block.bits) AS bits
          FROM block CROSS JOIN (
            SELECT branch, count(*) FILTER (WHERE NOT negated AND terms <> '{}') AS needed FROM literal GROUP BY branch
          ) AS branch
          LEFT JOIN checked ON checked.id = block.id AND checked.branch = branch.branch AND checked.bits IS NOT NULL
         GROUP BY block.id, block.place, block.width, block.bits, branch.branch, branch.needed
        HAVING count(*) FILTER (WHERE NOT checked.negated) = branch.needed
      ), joined AS (
        SELECT id, place, width, bit_or(matched.bits) AS bits FROM matched GROUP BY id, place, width
      )
      SELECT array_agg(id), array_agg(joined.place), array_agg(width), array_agg(joined.bits)
        INTO block_ids, block_places, widths, bitmaps FROM joined WHERE bit_count(joined.bits) > 0;
    END IF;

    RETURN QUERY
    WITH block AS (
      SELECT * FROM unnest(block_ids, block_places, widths, bitmaps) AS block(id, place, width, bits)
    ), tier AS (
      SELECT block.id, block.place, tier.score, tier.bits
        FROM block
        LEFT JOIN (SELECT id, search_sum(part.bits, low, high, in_title) AS sums FROM (
      SELECT block.id, search_width(bitmap.bits, width) AS bits, search_width(low, width) AS low,
             search_width(high, width) AS high, search_width(in_title, width) AS in_title
        FROM block CROSS JOIN unnest(words) AS word
        CROSS JOIN LATERAL (SELECT * FROM search_bitmaps WHERE block_id = block.id AND term = word LIMIT 1) AS bitmap
      UNION ALL
      SELECT block.id, planes.bits, planes.low, planes.high, planes.in_title
        FROM block CROSS JOIN unnest(words) AS word
        CROSS JOIN LATERAL (
          (SELECT places FROM search_postings WHERE block_id = block.id AND term = word LIMIT 1)
          UNION ALL
          SELECT places FROM unnest(waiting_terms) WHERE block.id = 0 AND term = word) AS list
        CROSS JOIN LATERAL (SELECT search_width(search_bits(spot & 8191, 1), width) AS bits,
             search_width(search_bits(spot & 8191, 1) FILTER (WHERE spot & 32768 > 0), width) AS in_title,
             search_width(search_bits(spot & 8191, 1) FILTER (WHERE spot & 8192 > 0), width) AS low,
             search_width(search_bits(spot & 8191, 1) FILTER (WHERE spot & 16384 > 0), width) AS high FROM unnest(list.places) AS spot) AS planes) AS part GROUP BY id) AS total
          USING (id)
        CROSS JOIN LATERAL search_tiers(block.bits, sums) AS tier
       WHERE is_ranked
      UNION ALL
      SELECT id, place, 0, block.bits FROM block WHERE NOT is_ranked
    )
    SELECT tier.place, tier.id, tier.score, bit_count(tier.bits), tier.bits::bit varying, NULL::uuid, NULL::timestamptz
      FROM tier WHERE tier.id > 0
    UNION ALL 
    SELECT greatest(1, (SELECT count(*)::integer FROM search_blocks AS earlier
                         WHERE earlier.account_id = account
                           AND (earlier.first_created_at, earlier.first_id) <= (item.created_at, item.id))),
           NULL, tier.score, 1, NULL, item.id, item.created_at
      FROM tier CROSS JOIN LATERAL search_documents(0, tier.bits, waiting) AS one
      JOIN documents AS item ON item.id = one.document_id
     WHERE tier.id = 0;
  END
  $$;

CREATE FUNCTION search_page(block integer, bits bit varying, most bigint, descending boolean, from_at timestamp with time zone, from_id uuid)
 RETURNS TABLE(created_at timestamp with time zone, document_id uuid)
 LANGUAGE plpgsql
 STABLE ROWS 20
AS $$
  #variable_conflict use_column
  BEGIN
    IF bit_count(bits) <= 256 THEN
      RETURN QUERY SELECT entry.created_at, entry.document_id FROM search_positions(bits) AS one
        JOIN search_entries AS entry ON entry.block_id = block AND entry.position = one
       WHERE from_at IS NULL OR CASE WHEN descending THEN (entry.created_at, entry.document_id) < (from_at, from_id)
                                     ELSE (entry.created_at, entry.document_id) > (from_at, from_id) END;
    ELSIF descending THEN
      RETURN QUERY SELECT entry.created_at, entry.document_id FROM search_entries AS entry
       WHERE block_id = block AND get_bit(bits, position) = 1
         AND (entry.created_at, entry.document_id)
           < (coalesce(from_at, 'infinity'), coalesce(from_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       ORDER BY entry.created_at DESC, entry.document_id DESC LIMIT most;
    ELSE
      RETURN QUERY SELECT entry.created_at, entry.document_id FROM search_entries AS entry
       WHERE block_id = block AND get_bit(bits, position) = 1
         AND (entry.created_at, entry.document_id)
           > (coalesce(from_at, '-infinity'), coalesce(from_id, '00000000-0000-0000-0000-000000000000'))
       ORDER BY entry.created_at, entry.document_id LIMIT most;
    END IF;
  END
  $$;

CREATE FUNCTION search_all(block integer, bits bit varying)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE ROWS 500
AS $$
  BEGIN
    RETURN QUERY SELECT entry.document_id FROM search_positions(bits) AS one
      CROSS JOIN LATERAL (
        SELECT document_id FROM search_entries WHERE block_id = block AND position = one LIMIT 1) AS entry;
  END
  $$;

CREATE FUNCTION search_wanted(groups json, configuration text)
 RETURNS TABLE(terms text[], runs text[])
 LANGUAGE sql
 STABLE
AS $$
    SELECT ARRAY(SELECT DISTINCT term FROM unnest(array_agg(text)) AS one, search_terms(configuration, one) AS term
                  WHERE term NOT LIKE 'gram:%'),
           ARRAY(SELECT DISTINCT run FROM unnest(array_agg(text)) AS one, search_runs(one) AS run)
      FROM json_array_elements(groups) AS alternative, json_array_elements(alternative) AS literal,
           LATERAL (SELECT literal ->> 'text' AS text) AS asked
     WHERE NOT (literal ->> 'negated')::boolean
  $$;

CREATE FUNCTION search_fragment(configuration text, value text, terms text[], runs text[])
 RETURNS TABLE(fragment text, words text[], stretches text[])
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  DECLARE
    folded text;
    are_words boolean := false;
    probes text[] := ARRAY(
      SELECT left(stem, greatest(length(stem) - 2, 1))
        FROM unnest(terms) AS term, LATERAL (SELECT split_part(split_part(term, ':', 2), ' ', 1) AS stem) AS part);
    patterns text[];
    wanted text[];
    token text;
    passed integer;
    step integer;
    first integer;
    last integer;
  BEGIN
    value := search_composed(left(value, 100000));
    -- One character for each, so that places are the same.
    folded := search_folded(translate(lower(value), 'ßæœþ', 'saot'));
    IF length(folded) <> length(value) THEN folded := lower(value); END IF;
    LOOP
      patterns := ARRAY(
        SELECT '%' || regexp_replace(probe, '([%_\\\\])', '\\\\\\1', 'g') || '%' FROM unnest(probes) AS probe);
      wanted := runs || probes;
      FOR n IN 1 .. cardinality(wanted) LOOP
        passed := 0;
        FOR attempt IN 1 .. 300 LOOP
          step := strpos(substring(folded, passed + 1), lower(wanted[n]));
          EXIT WHEN step = 0;
          passed := passed + step;
          IF n > cardinality(runs) THEN
            -- Most of what begins like a word is another one: seen here, before all that is around it is looked at.
            first := greatest(passed - 60, 1);
            token := substring(substring(value, first, passed - first) FROM '\\S*$')
                  || substring(substring(value, passed, 255) FROM '^\\S*');
            CONTINUE WHEN NOT ARRAY(SELECT search_terms(configuration, token)) && terms;
          END IF;
          first := greatest(passed - 60, 1);
          last := first + 240;
          fragment := substring(value, first, 240);
          IF first > 1 THEN fragment := regexp_replace(fragment, '^\\S{0,30}\\s+', ''); END IF;
          IF last <= length(value) THEN fragment := regexp_replace(fragment, '\\s+\\S{0,30}$', ''); END IF;
          stretches := ARRAY(SELECT run FROM unnest(runs) AS run WHERE strpos(fragment, run) > 0);
          words := ARRAY(
            SELECT DISTINCT token FROM regexp_split_to_table(fragment, '\\s+') AS token
             WHERE search_folded(lower(token)) LIKE ANY (patterns) AND ARRAY(SELECT search_terms(configuration, token)) && terms);
          IF cardinality(stretches || words) > 0 THEN
            RETURN NEXT;
            RETURN;
          END IF;
        END LOOP;
      END LOOP;
      EXIT WHEN are_words;
      -- A stem need not begin as its word does, and a word may be typed another way: the first ones are looked at one by one.
      are_words := true;
      probes := ARRAY(
        SELECT DISTINCT search_folded(translate(lower(token), 'ßæœþ', 'saot'))
          FROM regexp_split_to_table(left(value, 2000), '\\s+') AS token
         WHERE token <> '' AND ARRAY(SELECT search_terms(configuration, token)) && terms);
    END LOOP;
  END
  $$;

CREATE FUNCTION search_facets_of(ids uuid[])
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
AS $$
  BEGIN
    RETURN QUERY SELECT field.facet || '/' || field.term FROM unnest(ids) AS one(id)
      CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = one.id LIMIT 1) AS item
      CROSS JOIN LATERAL search_fields(item) AS field WHERE field.facet = ANY ('{type,status,tag,department,project}'::text[]);
  END
  $$;

CREATE FUNCTION search_few_facets(block_ids integer[], bitmaps bit varying[], singles uuid[])
 RETURNS TABLE(facet text, term text, n bigint)
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    SELECT split_part(field, '/', 1), substring(field, position('/' IN field) + 1), count(*) FROM (
      SELECT unnest(entry.facets)
        FROM unnest(block_ids, bitmaps) AS block(id, bits) CROSS JOIN LATERAL search_positions(block.bits) AS one
        CROSS JOIN LATERAL (
          SELECT facets FROM search_entries WHERE block_id = block.id AND position = one LIMIT 1) AS entry
      UNION ALL
      SELECT search_facets_of(singles)) AS part(field)
     WHERE split_part(field, '/', 1) = ANY ('{type,status,tag,department,project}'::text[]) GROUP BY field;
  END
  $$;

CREATE FUNCTION search_facets(account uuid, request json, most integer)
 RETURNS TABLE(facet text, value text, documents bigint)
 LANGUAGE plpgsql
 STABLE
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $$
  #variable_conflict use_column
  DECLARE
    in_trash boolean := (request ->> 'deleted')::boolean;
    -- Without any condition the counts of the account are the answer, but for what waits.
    is_open boolean := json_array_length(request -> 'filters') = 0 AND coalesce(request ->> 'groups',
      request ->> 'createdFrom', request ->> 'createdTo', request ->> 'updatedFrom', request ->> 'updatedTo') IS NULL;
    block_ids integer[];
    bitmaps bit varying[];
    waiting uuid[] := ARRAY(SELECT DISTINCT document_id FROM search_changes WHERE account_id = account);
    singles uuid[];
    total bigint;
    -- Matches in the index, and fields of one value that the filters fix: all of these have it.
    indexed bigint;
    fixed text[] := ARRAY(SELECT filter ->> 0 FROM json_array_elements(request -> 'filters') AS filter);
    fixed_terms text[] := ARRAY(
      SELECT search_field(filter ->> 0, filter ->> 2) FROM json_array_elements(request -> 'filters') AS filter);
    fresh text[];
    stale text[];
    passed integer := 0;
    step_facets text[];
    step_terms text[];
    -- The most frequent value of a field of one value, where the step has them all: it has what the others leave.
    step_rests boolean[];
    is_last boolean := false;
    top_facets text[] := '{}';
    top_terms text[] := '{}';
    top_counts bigint[] := '{}';
    top_totals integer[] := '{}';
  BEGIN
    IF is_open THEN
      singles := ARRAY(SELECT id FROM unnest(waiting) AS one(id) CROSS JOIN LATERAL (
        SELECT deleted_at FROM documents WHERE id = one.id AND account_id = account LIMIT 1) AS item
       WHERE (deleted_at IS NOT NULL) = in_trash);
      stale := ARRAY(SELECT unnest(facets) FROM unnest(waiting) AS one(id) CROSS JOIN LATERAL (
        SELECT * FROM search_entries WHERE document_id = one.id LIMIT 1) AS entry WHERE entry.deleted = in_trash);
    ELSE
      SELECT array_agg(block_id ORDER BY block_id) FILTER (WHERE block_id IS NOT NULL),
             array_agg(search_width(bits, 8192) ORDER BY block_id) FILTER (WHERE block_id IS NOT NULL),
             array_agg(document_id) FILTER (WHERE document_id IS NOT NULL), coalesce(sum(documents), 0)
        INTO block_ids, bitmaps, singles, total FROM search_matches(account, request);
      IF total <= 1000 THEN
        RETURN QUERY
        SELECT facet, substring(term, position('=' IN term) + 1), n FROM (
          SELECT *, row_number() OVER (PARTITION BY facet ORDER BY n DESC, total DESC, term) AS rank FROM (
            SELECT few.facet, few.term, few.n, coalesce(known.documents, 0) AS total
              FROM search_few_facets(block_ids, bitmaps, singles) AS few LEFT JOIN search_counts AS known
                ON known.account_id = account AND known.deleted = in_trash AND known.term = few.term) AS counted) AS ranked
         WHERE rank <= most + 1 ORDER BY facet, rank;
        RETURN;
      END IF;
    END IF;

    fresh := ARRAY(SELECT search_facets_of(singles));
    indexed := total - coalesce(cardinality(singles), 0);
    LOOP
      SELECT array_agg(facet), array_agg(term), coalesce(bool_and(size < 200), true),
             array_agg(facet = ANY ('{type,status}'::text[]) AND nth = 1 AND passed = 0 AND size < 200)
        INTO step_facets, step_terms, is_last, step_rests FROM (
          SELECT next.facet, next.term, max(next.documents) OVER (PARTITION BY next.facet) AS bound,
                 count(*) OVER (PARTITION BY next.facet) AS size,
                 row_number() OVER (PARTITION BY next.facet ORDER BY next.documents DESC, next.term) AS nth
            FROM unnest('{type,status,tag,department,project}'::text[]) AS name CROSS JOIN LATERAL (
              SELECT * FROM search_counts
               WHERE account_id = account AND deleted = in_trash AND facet = name AND documents > 0
               ORDER BY documents DESC, term OFFSET passed LIMIT 200) AS next) AS later
       WHERE bound > coalesce((
         SELECT n FROM unnest(top_facets, top_counts) AS top(facet, n) WHERE top.facet = later.facet
          ORDER BY n DESC OFFSET most LIMIT 1), 0);
      IF passed = 0 AND cardinality(fresh) > 0 THEN
        -- What waits may have values that the counts do not know, or know as rare.
        SELECT array_agg(facet), array_agg(term), array_agg(is_rest) INTO step_facets, step_terms, step_rests FROM (
          SELECT * FROM unnest(step_facets, step_terms, step_rests) AS step(facet, term, is_rest)
          UNION ALL
          SELECT split_part(field, '/', 1), term, false FROM (SELECT DISTINCT unnest(fresh)) AS part(field)
           CROSS JOIN LATERAL (SELECT substring(field, position('/' IN field) + 1) AS term OFFSET 0) AS named
           WHERE term <> ALL (coalesce(step_terms, '{}'))) AS step;
      END IF;
      EXIT WHEN step_terms IS NULL;
      passed := passed + 200;
      WITH step AS MATERIALIZED (
        SELECT step.*, facet = ANY ('{type,status}'::text[]) AND facet = ANY (fixed) AS is_fixed
          FROM unnest(step_facets, step_terms, step_rests) AS step(facet, term, is_rest)
      ), counted AS MATERIALIZED (
        -- Less is to be counted where each document has one value: none when all have the same, else all but one.
        SELECT * FROM search_count_values(account, block_ids, bitmaps, ARRAY(
          SELECT term FROM step WHERE NOT is_open AND NOT is_fixed AND NOT is_rest))
      )
      SELECT array_agg(facet), array_agg(term), array_agg(n), array_agg(total)
        INTO top_facets, top_terms, top_counts, top_totals
        FROM (
          SELECT *, row_number() OVER (PARTITION BY facet ORDER BY n DESC, total DESC, term) AS rank FROM (
            SELECT * FROM unnest(top_facets, top_terms, top_counts, top_totals) AS top(facet, term, n, total)
            UNION
            SELECT step.facet, step.term,
                   CASE WHEN is_open THEN coalesce(known.documents, 0)
                          - (SELECT count(*) FROM unnest(stale) AS field WHERE field = step.facet || '/' || step.term)
                        WHEN is_fixed THEN CASE WHEN step.term = ANY (fixed_terms) THEN indexed ELSE 0 END
                        WHEN is_rest THEN indexed - coalesce(sum(counted.n) OVER (PARTITION BY step.facet), 0)::bigint
                        ELSE coalesce(counted.n, 0) END
                     + (SELECT count(*) FROM unnest(fresh) AS field WHERE field = step.facet || '/' || step.term),
                   coalesce(known.documents, 0)
              FROM step LEFT JOIN counted ON counted.term = step.term
              LEFT JOIN search_counts AS known
                ON known.account_id = account AND known.deleted = in_trash AND known.term = step.term) AS candidate
           WHERE n > 0) AS ranked
       WHERE rank <= most + 1;
      EXIT WHEN is_last;
    END LOOP;
    RETURN QUERY
    SELECT facet, substring(term, position('=' IN term) + 1), n FROM (
      SELECT *, row_number() OVER (PARTITION BY facet ORDER BY n DESC, total DESC, term) AS rank
        FROM unnest(top_facets, top_terms, top_counts, top_totals) AS top(facet, term, n, total)) AS ranked
     ORDER BY facet, rank;
  END
  $$;

CREATE FUNCTION search_bits_of(places integer[])
 RETURNS bit varying
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT (SELECT search_bits(place, 1) FROM unnest(places) AS place)
  $$;

CREATE FUNCTION search_count_values(account uuid, block_ids integer[], bitmaps bit varying[], terms text[])
 RETURNS TABLE(term text, n bigint)
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    SELECT wanted.term, (
      SELECT sum(CASE WHEN length(bits) = 8192 THEN bit_count(bitmaps[value.n] & bits)
                      WHEN places IS NULL THEN bit_count(bitmaps[value.n] & search_width(bits, 8192))
                      ELSE (SELECT count(*) FROM unnest(places) AS place WHERE get_bit(bitmaps[value.n], place) = 1) END)
        FROM (SELECT block_id, places, bits, width_bucket(block_id, block_ids) AS n
                FROM search_values AS value
               WHERE value.account_id = account AND value.term = wanted.term OFFSET 0) AS value
       WHERE block_ids[value.n] = block_id)::bigint
      FROM unnest(terms) AS wanted(term);
  END
  $$;

CREATE FUNCTION search_free_positions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
  BEGIN
    UPDATE search_slices SET bits = bits & search_width(NEW.used, 8192) WHERE block_id = NEW.id;
    RETURN NULL;
  END
  $$;

CREATE FUNCTION search_order_key(sort text, title text, updated_at timestamp with time zone, word_count integer, id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $$
    SELECT CASE sort WHEN 'title' THEN replace(title, E'\\x01', E'\\x01\\x02')
                     WHEN 'updated_at' THEN to_char(updated_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS')
                     ELSE lpad(word_count::text, 10, '0') END || E'\\x01\\x01' || id
  $$;

CREATE FUNCTION search_part(order_id integer, key text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $$
    SELECT coalesce((SELECT part FROM search_parts WHERE search_parts.order_id = search_part.order_id
                        AND first_key <= key COLLATE "C" ORDER BY first_key DESC LIMIT 1), 0)
  $$;

CREATE FUNCTION search_begin_order(account uuid, sort text)
 RETURNS void
 LANGUAGE sql
AS $$
    WITH begun AS (
      INSERT INTO search_orders (account_id, sort, is_complete, sliced, most_sliced) VALUES (account, sort, false, 0, 0) RETURNING id
    ), sample AS (
      SELECT search_order_key(sort, item.title, item.updated_at, item.word_count, item.id) COLLATE "C" AS key
        FROM (SELECT *, greatest(sum(bit_count(live | deleted)) OVER () / 16384, 1)::integer AS step
                FROM search_blocks WHERE account_id = account) AS block
        CROSS JOIN generate_series(block.id % step, 8191, step) AS wanted(position)
        JOIN search_entries AS entry ON entry.block_id = block.id AND entry.position = wanted.position
        CROSS JOIN LATERAL (SELECT * FROM documents WHERE id = entry.document_id LIMIT 1) AS item
    )
    INSERT INTO search_parts (order_id, first_key, part)
    SELECT begun.id, min(key), part
      FROM begun CROSS JOIN (SELECT key, ntile(1024) OVER (ORDER BY key) - 1 AS part FROM sample) AS one
     WHERE part > 0 GROUP BY begun.id, part
  $$;

CREATE FUNCTION search_slice(order_id integer, block integer, unsliced bit varying)
 RETURNS void
 LANGUAGE plpgsql
AS $$
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
      FROM placed CROSS JOIN generate_series(0, 10) AS digit
     WHERE digit = 10 OR part & (1 << digit) > 0
     GROUP BY digit
    ON CONFLICT (order_id, digit, block_id) DO UPDATE SET bits = old.bits | EXCLUDED.bits;
  END
  $$;

CREATE FUNCTION search_update_orders(account uuid, least_blocks integer, least_unsliced integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET jit TO 'off'
AS $$
  #variable_conflict use_column
  DECLARE
    step record;
    whole search_orders;
  BEGIN
    IF (SELECT count(*) FROM search_blocks WHERE account_id = account) < least_blocks
       OR NOT pg_try_advisory_xact_lock(hashtextextended('search ' || account, 0)) THEN
      RETURN false;
    END IF;
    PERFORM search_begin_order(account, wanted.sort) FROM unnest('{title,updated_at,word_count}'::text[]) AS wanted(sort)
     WHERE NOT EXISTS (SELECT FROM search_orders AS known WHERE known.account_id = account AND known.sort = wanted.sort
                          AND (NOT is_complete OR sliced < most_sliced));
    SELECT known.id AS order_id, block.id AS block, unsliced INTO step
      FROM search_orders AS known JOIN search_blocks AS block ON block.account_id = known.account_id
      CROSS JOIN LATERAL (SELECT (search_width(live | deleted, 8192) & ~coalesce((
      SELECT bits FROM search_slices AS slice
       WHERE slice.order_id = known.id AND slice.digit = 10 AND slice.block_id = block.id), B'0'::bit(8192)))::bit varying AS unsliced) AS waiting
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
    UPDATE search_orders SET is_complete = true, most_sliced = sliced + sliced / CASE sort WHEN 'updated_at' THEN 8 ELSE 2 END + 1 WHERE id = whole.id;
    RETURN true;
  END
  $$;

CREATE FUNCTION search_enough()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$SELECT 1000$$;

CREATE FUNCTION search_way(account uuid, sort text, in_trash boolean, matches bigint, wanted bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_variable
  DECLARE
    documents bigint;
  BEGIN
    IF matches <= 1000 THEN RETURN 'looked up'; END IF;
    SELECT coalesce(sum(count), 0) INTO documents FROM row_counts
     WHERE account_id = account AND kind = CASE WHEN in_trash THEN 'documents.deleted' ELSE 'documents' END;
    IF documents - matches + wanted <= 20000 THEN RETURN 'walked'; END IF;
    IF EXISTS (SELECT FROM search_orders AS known
                WHERE known.account_id = account AND known.sort = search_way.sort AND is_complete) THEN
      RETURN 'narrowed';
    END IF;
    RETURN CASE WHEN matches::numeric * matches * 12 <= wanted * documents THEN 'looked up' ELSE 'walked' END;
  END
  $$;

CREATE FUNCTION search_narrow(order_id integer, digit integer, descending boolean, skipped bigint, wanted bigint, from_part integer, enough integer, before bigint, block_ids integer[], bitmaps bit varying[], others uuid[], parts integer[])
 RETURNS TABLE(passed bigint, counts boolean, document_id uuid)
 LANGUAGE plpgsql
 STABLE
AS $$
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
            SELECT (block.bits & CASE WHEN half = 1 THEN coalesce(slice.bits, B'0'::bit(8192))
                                      ELSE coalesce(~slice.bits, block.bits) END)::bit varying AS bits OFFSET 0) AS part
      ) AS cut;
    SELECT array_agg(id) FILTER (WHERE (part >> digit) & 1 = half), array_agg(part) FILTER (WHERE (part >> digit) & 1 = half),
           array_agg(id) FILTER (WHERE NOT (part >> digit) & 1 = half), array_agg(part) FILTER (WHERE NOT (part >> digit) & 1 = half)
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
  $$;

CREATE FUNCTION search_sorted(account uuid, sort text, descending boolean, skipped bigint, wanted bigint, behind text, block_ids integer[], bitmaps bit varying[], singles uuid[])
 RETURNS TABLE(passed bigint, document_id uuid)
 LANGUAGE plpgsql
 STABLE
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $$
  #variable_conflict use_variable
  DECLARE
    known search_orders;
    sliced bit varying[];
    others uuid[];
    parts integer[];
  BEGIN
    SELECT * INTO known FROM search_orders AS one WHERE one.account_id = account AND one.sort = search_sorted.sort AND is_complete;
    IF NOT FOUND THEN RETURN; END IF;
    SELECT array_agg(coalesce(block.bits & slice.bits, B'0'::bit(8192))::bit varying) INTO sliced
      FROM unnest(block_ids, bitmaps) WITH ORDINALITY AS block(id, bits, n)
      LEFT JOIN LATERAL (
        SELECT slice.bits FROM search_slices AS slice
         WHERE slice.order_id = known.id AND slice.digit = 10 AND slice.block_id = block.id LIMIT 1
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
      known.id, 9, descending, skipped, wanted,
      CASE WHEN behind IS NOT NULL THEN search_part(known.id, behind) END, search_enough(), 0, block_ids, sliced,
      others, parts) AS narrowed;
  END
  $$;

CREATE FUNCTION search_proceed(account uuid, number bigint, noted timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $$
    INSERT INTO search_progress AS old (account_id, epoch, changes, newest)
    VALUES (account, gen_random_uuid(), number, noted)
    ON CONFLICT (account_id) DO UPDATE
       SET changes = old.changes + EXCLUDED.changes, newest = greatest(old.newest, EXCLUDED.newest)
  $$;

CREATE FUNCTION search_state(account uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $$
  #variable_conflict use_column
  DECLARE
    state text;
  BEGIN
    SELECT concat_ws(' ', old.epoch, old.changes + waiting.n, extract(epoch FROM greatest(old.newest, waiting.newest)))
      INTO state
      FROM search_progress AS old CROSS JOIN (
        SELECT count(*) AS n, max(noted_at) AS newest
          FROM (SELECT noted_at FROM search_changes WHERE account_id = account LIMIT 2001) AS change
      ) AS waiting
     WHERE old.account_id = account AND waiting.n <= 2000;
    RETURN state;
  END
  $$;

CREATE FUNCTION search_facets_since(account uuid, request json, most integer, known text)
 RETURNS TABLE(state text, facet text, value text, documents bigint)
 LANGUAGE plpgsql
 STABLE
AS $$
  BEGIN
    state := search_state(account);
    RETURN NEXT;
    IF state = known THEN RETURN; END IF;
    RETURN QUERY SELECT NULL, counted.* FROM search_facets(account, request, most) AS counted;
  END
  $$;

CREATE FUNCTION search_pieces(value text)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT piece[1] FROM regexp_matches(value, '.{1,100}\\S{0,100}\\s{0,50}', 'g') AS piece
  $$;

CREATE FUNCTION search_composed(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  BEGIN
    IF octet_length(value) = length(value) THEN RETURN value; END IF;
    IF length(value) > 250 THEN
      RETURN (SELECT string_agg(search_composed(piece), '') FROM search_pieces(value) AS piece);
    END IF;
    RETURN CASE WHEN value IS NFKC NORMALIZED THEN value ELSE normalize(value, NFKC) END;
  END
  $$;

CREATE FUNCTION search_folded(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  BEGIN
    IF octet_length(value) = length(value) OR value !~ '[\\u00df-\\u024f\\u0300-\\u03ff\\u0400\\u040d\\u0450\\u0451\\u045d\\u0591-\\u05c7\\u0640-\\u0652\\u0670\\u1e00-\\u1fff]' THEN RETURN value; END IF;
    IF length(value) > 250 THEN
      RETURN (SELECT string_agg(search_folded(piece), '') FROM search_pieces(value) AS piece);
    END IF;
    value := normalize(regexp_replace(normalize(value, NFKD), '(?<![\\u0400-\\u052f\\u0300-\\u036f])[\\u0300-\\u036f]+|(?<=[аеиоуыэюяіє\\u0308])[\\u0300\\u0301]|[\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]|[\\u0640\\u064b-\\u0652\\u0670]', '', 'g'), NFKC);
    value := translate(value, 'øłđðħŧıĸŋςё', 'olddhtiqnσе');
    RETURN replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  END
  $$;

CREATE FUNCTION search_spelling(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  BEGIN
    value := lower(search_composed(value COLLATE "default"));
    value := regexp_replace(value, '[\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b]*[\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff][\\u0001-\\u0022\\u0024\\u0025\\u0028-\\u002a\\u002c\\u003a-\\u003f\\u005b-\\u005e\\u007b-\\u00a9\\u00ab-\\u00b3\\u00b6-\\u00b9\\u00bb-\\u00bf\\u00d7\\u00f7\\u0589\\u05be\\u05c0\\u05c3\\u05f3\\u05f4\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965\\u1680\\u2000-\\u200f\\u2012-\\u2017\\u201a\\u201c-\\u206f\\u20a0-\\u20cf\\u2190-\\u25ff\\u2800-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u3036\\u3037\\u303d-\\u3040\\u30a0\\u30fb\\ufe00-\\ufe6f\\ufeff\\ufff0-\\uffff\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b+#]*', ' ', 'g');
    value := regexp_replace(value, '[\\u0026\\u0027\\u002d-\\u002f\\u0040\\u005f\\u0060\\u00b4\\u02bb\\u02bc\\u2010\\u2011\\u2018\\u2019\\u201b]+', '-', 'g');
    IF strpos(value, '+') > 0 OR strpos(value, '#') > 0 THEN
      value := regexp_replace(value, '(?<![^ -])[+#]+|[+#]+(?![ +#-]|$)', '-', 'g');
    END IF;
    IF octet_length(value) > length(value) THEN
      value := regexp_replace(value, '([\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]+)', '-\\1-', 'g');
    END IF;
    RETURN btrim(regexp_replace(value, '[^ \\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff-]{255}[^ \\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff-]+', '', 'g'));
  END
  $$;

CREATE FUNCTION search_sequence(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  BEGIN
    value := search_spelling(value);
    IF octet_length(value) > length(value) THEN
      value := regexp_replace(value, '([\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff])', ' \\1 ', 'g');
    END IF;
    RETURN string_to_array(btrim(regexp_replace(value, '[ +#-]+', ' ', 'g')), ' ');
  END
  $$;

CREATE FUNCTION search_forms(configuration text, word text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    dictionary regdictionary := CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END;
    stem text := (ts_lexize(dictionary, word))[1];
    forms text[] := CASE WHEN stem IS NULL THEN '{}' ELSE ARRAY[stem] END;
    spelling text;
  BEGIN
    IF octet_length(word) = length(word) THEN RETURN forms; END IF;
    IF stem IS NOT NULL THEN forms := ARRAY[search_folded(stem)]; END IF;
    FOREACH spelling IN ARRAY ARRAY[word, CASE WHEN configuration IN ('english', 'german', 'simple')
                                               THEN replace(replace(replace(word, 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue') END] LOOP
      stem := (ts_lexize(dictionary, search_folded(spelling)))[1];
      IF stem IS NOT NULL AND stem <> ALL (forms) THEN forms := forms || stem; END IF;
    END LOOP;
    RETURN forms;
  END
  $$;

CREATE FUNCTION search_is_stop_word(configuration text, word text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $$
    SELECT ts_lexize(
      CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END::regdictionary, word) = '{}'
  $$;

CREATE FUNCTION search_token_terms(configuration text, tokens text[])
 RETURNS TABLE(n integer, term text)
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $$
  DECLARE
    dictionary regdictionary := CASE configuration WHEN 'simple' THEN 'simple' ELSE configuration || '_stem' END;
    token text;
    part text;
    word text;
    form text;
    stop_word text;
    stems text[];
    signs text[];
    seen integer := 0;
  BEGIN
    n := 0;
    FOREACH token IN ARRAY tokens LOOP
      n := n + 1;
      EXIT WHEN seen >= 200000;
      stop_word := NULL;
      FOREACH part IN ARRAY string_to_array(token, '-') LOOP
        IF octet_length(part) <> length(part) AND part ~ '^[\\u0e01-\\u0fbc\\u1000-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\U0001f000-\\U0001faff\\U00020000-\\U0003ffff]' THEN
          signs := string_to_array(left(part, greatest(200000 - seen, 0) / 2), NULL);
          seen := seen + 2 * cardinality(signs);
          RETURN QUERY SELECT search_token_terms.n, 'gram:' || sign FROM unnest(signs) AS sign;
          RETURN QUERY SELECT search_token_terms.n, 'gram:' || sign || next
            FROM unnest(signs[ : cardinality(signs) - 1], signs[2 : ]) AS pair(sign, next);
          CONTINUE;
        END IF;
        seen := seen + 1;
        word := rtrim(part, '+#');
        CONTINUE WHEN word = '' OR octet_length(word) > 255;
        stems := ts_lexize(dictionary, word);
        IF octet_length(word) <> length(word) THEN
          FOREACH form IN ARRAY search_forms(configuration, word) LOOP
            term := configuration || ':' || form;
            RETURN NEXT;
          END LOOP;
        ELSIF stems <> '{}' THEN
          term := configuration || ':' || stems[1];
          RETURN NEXT;
        END IF;
        IF stems <> '{}' THEN
          stop_word := NULL;
          CONTINUE;
        END IF;
        IF part <> word THEN
          term := configuration || ':' || search_folded(part);
          RETURN NEXT;
        END IF;
        IF stop_word IS NOT NULL THEN
          term := configuration || ':' || stop_word || ' ' || search_folded(word);
          RETURN NEXT;
        END IF;
        stop_word := search_folded(word);
      END LOOP;
    END LOOP;
  END
  $$;

CREATE FUNCTION search_set_aside(account uuid, suspect uuid, why text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $$
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('search ' || account, 0))
       OR suspect IS DISTINCT FROM (SELECT document_id FROM search_changes WHERE account_id = account ORDER BY id LIMIT 1) THEN
      RETURN false;
    END IF;
    INSERT INTO unsearchable_documents AS old (document_id, account_id, reason)
    SELECT id, account_id, why FROM documents WHERE id = suspect
    ON CONFLICT (document_id) DO UPDATE SET reason = EXCLUDED.reason, set_aside_at = EXCLUDED.set_aside_at;
    PERFORM search_update(account, 1, true);
    -- What is found is not what it was.
    PERFORM search_proceed(account, 1, now());
    RETURN true;
  END
  $$;

CREATE AGGREGATE search_bits(integer, integer) (SFUNC = set_bit, STYPE = bit, INITCOND = '${'0'.repeat(8_192)}');
CREATE AGGREGATE search_joined(bit varying) (SFUNC = bitcat, STYPE = bit varying, INITCOND = '');
CREATE AGGREGATE search_sum(bit varying, bit varying, bit varying, bit varying) (
  SFUNC = search_add_word, STYPE = bit varying[], INITCOND = '{}'
);

CREATE TRIGGER search_added AFTER INSERT ON documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes();

CREATE TRIGGER search_changed AFTER UPDATE ON documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes();

CREATE TRIGGER search_removed AFTER DELETE ON documents REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_search_changes();

CREATE TRIGGER search_positions_freed AFTER UPDATE OF used ON search_blocks FOR EACH ROW WHEN ((bit_count((new.used)::"bit") < bit_count((old.used)::"bit"))) EXECUTE FUNCTION search_free_positions();

SET LOCAL check_function_bodies = on;
`,
  down: `
DROP TRIGGER search_added ON documents;
DROP TRIGGER search_changed ON documents;
DROP TRIGGER search_removed ON documents;
DROP TRIGGER search_positions_freed ON search_blocks;
DROP AGGREGATE search_bits(integer, integer), search_joined(bit varying), search_sum(bit varying, bit varying, bit varying, bit varying);
DROP FUNCTION search_configuration(json);
DROP FUNCTION search_runs(text);
DROP FUNCTION search_terms(text,text);
DROP FUNCTION search_field(text,text);
DROP FUNCTION search_metadata_field(text);
DROP FUNCTION json_leaves(json,text);
DROP FUNCTION json_items(json,text);
DROP FUNCTION search_fields(documents);
DROP FUNCTION search_width(bit varying,integer);
DROP FUNCTION search_document_terms(uuid[]);
DROP FUNCTION search_fill(uuid,integer,uuid[],integer[]);
DROP FUNCTION search_forget(uuid,uuid[]);
DROP FUNCTION search_new_block(uuid,timestamp with time zone,uuid);
DROP FUNCTION search_restrict(integer,bit varying);
DROP FUNCTION search_split(integer);
DROP FUNCTION search_add(uuid,uuid[]);
DROP FUNCTION search_renew(uuid,uuid[]);
DROP FUNCTION search_update(uuid,integer,boolean);
DROP FUNCTION note_search_changes();
DROP FUNCTION search_positions(bit varying);
DROP FUNCTION search_pattern(text,text[]);
DROP FUNCTION search_follow(text,text[],text[]);
DROP FUNCTION search_has_phrase(text,text,text[],text);
DROP FUNCTION search_afford(bigint);
DROP FUNCTION search_has_run(text,text);
DROP FUNCTION search_literals(json,text[]);
DROP FUNCTION search_asked_terms(text,text);
DROP FUNCTION search_phrase(text,text);
DROP FUNCTION search_updated(integer,timestamp with time zone,timestamp with time zone);
DROP FUNCTION search_blocks_of(uuid,json,uuid[]);
DROP FUNCTION search_waiting_terms(uuid[],text[],boolean);
DROP FUNCTION search_documents(integer,bit varying,uuid[]);
DROP FUNCTION search_add_word(bit varying[],bit varying,bit varying,bit varying,bit varying);
DROP FUNCTION search_tiers(bit varying,bit varying[]);
DROP FUNCTION search_holds(jsonb,uuid);
DROP FUNCTION search_matches(uuid,json);
DROP FUNCTION search_page(integer,bit varying,bigint,boolean,timestamp with time zone,uuid);
DROP FUNCTION search_all(integer,bit varying);
DROP FUNCTION search_wanted(json,text);
DROP FUNCTION search_fragment(text,text,text[],text[]);
DROP FUNCTION search_facets_of(uuid[]);
DROP FUNCTION search_few_facets(integer[],bit varying[],uuid[]);
DROP FUNCTION search_facets(uuid,json,integer);
DROP FUNCTION search_bits_of(integer[]);
DROP FUNCTION search_count_values(uuid,integer[],bit varying[],text[]);
DROP FUNCTION search_free_positions();
DROP FUNCTION search_order_key(text,text,timestamp with time zone,integer,uuid);
DROP FUNCTION search_part(integer,text);
DROP FUNCTION search_begin_order(uuid,text);
DROP FUNCTION search_slice(integer,integer,bit varying);
DROP FUNCTION search_update_orders(uuid,integer,integer);
DROP FUNCTION search_enough();
DROP FUNCTION search_way(uuid,text,boolean,bigint,bigint);
DROP FUNCTION search_narrow(integer,integer,boolean,bigint,bigint,integer,integer,bigint,integer[],bit varying[],uuid[],integer[]);
DROP FUNCTION search_sorted(uuid,text,boolean,bigint,bigint,text,integer[],bit varying[],uuid[]);
DROP FUNCTION search_proceed(uuid,bigint,timestamp with time zone);
DROP FUNCTION search_state(uuid);
DROP FUNCTION search_facets_since(uuid,json,integer,text);
DROP FUNCTION search_pieces(text);
DROP FUNCTION search_composed(text);
DROP FUNCTION search_folded(text);
DROP FUNCTION search_spelling(text);
DROP FUNCTION search_sequence(text);
DROP FUNCTION search_forms(text,text);
DROP FUNCTION search_is_stop_word(text,text);
DROP FUNCTION search_token_terms(text,text[]);
DROP FUNCTION search_set_aside(uuid,uuid,text);
DROP TABLE search_changes, search_blocks, search_entries, search_postings, search_bitmaps, search_counts, search_values, search_orders, search_parts, search_slices, search_progress, unsearchable_documents;
`,
};
