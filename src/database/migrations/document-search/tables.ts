/** Documents a block can hold. */
export const BLOCK = 8_192;

/**
 * The documents of an account are cut into blocks of neighbours in the order of creation. In a block each document has
 * a position, and each term the positions of the documents it is in: as a list while they are few (`search_postings`),
 * else as a bitmap (`search_bitmaps`). Search and filters are then operations on bits.
 */
export const TABLES = [
  // Sorted lists of the trash; those of the other documents are older.
  ...['updated_at', 'title', 'word_count'].map(
    (
      column,
    ) => `CREATE INDEX documents_deleted_${column}_idx ON documents (account_id, ${column}, id)
      WHERE deleted_at IS NOT NULL`,
  ),
  // What changed since it was last put into the index; lists look at these documents themselves.
  `CREATE TABLE search_changes (
    account_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    document_id uuid NOT NULL,
    noted_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT search_changes_pkey PRIMARY KEY (account_id, id)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  // A block begins with its first key and ends where the next one begins. Positions stay used until a block is renewed.
  `CREATE TABLE search_blocks (
    id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT search_blocks_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    first_created_at timestamptz(3) NOT NULL,
    first_id uuid NOT NULL,
    first_updated_at timestamptz(3) NOT NULL,
    last_updated_at timestamptz(3) NOT NULL,
    used bit varying NOT NULL,
    live bit varying NOT NULL,
    deleted bit varying NOT NULL
  )`,
  'CREATE UNIQUE INDEX search_blocks_account_id_key ON search_blocks (account_id, first_created_at, first_id)',
  `CREATE TABLE search_entries (
    document_id uuid NOT NULL,
    block_id integer NOT NULL,
    position smallint NOT NULL,
    deleted boolean NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    facets text[] NOT NULL,
    CONSTRAINT search_entries_pkey PRIMARY KEY (document_id) INCLUDE (block_id, position)
  )`,
  'CREATE UNIQUE INDEX search_entries_position_key ON search_entries (block_id, position)',
  `CREATE INDEX search_entries_created_at_idx ON search_entries (block_id, created_at, document_id)
    INCLUDE (position)`,
  `CREATE TABLE search_postings (
    block_id integer NOT NULL,
    term text COLLATE "C" NOT NULL,
    places integer[] NOT NULL,
    CONSTRAINT search_postings_pkey PRIMARY KEY (block_id, term)
  ) WITH (fillfactor = 90)`,
  `CREATE TABLE search_bitmaps (
    block_id integer NOT NULL,
    term text COLLATE "C" NOT NULL,
    bits bit varying NOT NULL,
    in_title bit varying,
    low bit varying,
    high bit varying,
    CONSTRAINT search_bitmaps_pkey PRIMARY KEY (block_id, term)
  ) WITH (fillfactor = 80)`,
  // Bits stay in their row: PostgreSQL would move a row's columns out of it from 2 KB on.
  `ALTER TABLE search_bitmaps ALTER bits SET STORAGE MAIN, ALTER in_title SET STORAGE MAIN,
    ALTER low SET STORAGE MAIN, ALTER high SET STORAGE MAIN`,
  // Facets without a filter: how many documents each value is in.
  `CREATE TABLE search_counts (
    account_id uuid NOT NULL,
    deleted boolean NOT NULL,
    facet text NOT NULL,
    term text COLLATE "C" NOT NULL,
    documents integer NOT NULL,
    CONSTRAINT search_counts_pkey PRIMARY KEY (account_id, deleted, term)
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX search_counts_documents_idx
    ON search_counts (account_id, deleted, facet, documents DESC, term)`,
];
