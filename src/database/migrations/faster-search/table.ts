/** From one more position on a value of a block is kept as a bitmap. */
export const LONGEST_LIST = 16;

/** The positions of a list as bits; null of none. */
export const BITS_OF_PLACES = '(SELECT search_bits(place, 1) FROM unnest(places) AS place)';

/** Values that facets count; all other terms of the index stay in the tables of words. */
export const IS_VALUE = `term ~ '^(type|status|language|metadata4:tags|metadata10:department|metadata7:project)='`;

/**
 * The values that facets count: few, and all of an account read at once. Among the many other values of metadata they
 * would not stay in memory. The key puts what an account has of a value side by side. A row has a list of positions, or
 * a bitmap.
 */
export const TABLE = [
  `CREATE TABLE search_values (
    account_id uuid NOT NULL,
    term text COLLATE "C" NOT NULL,
    block_id integer NOT NULL,
    places integer[],
    bits bit varying,
    CONSTRAINT search_values_pkey PRIMARY KEY (account_id, term, block_id),
    CONSTRAINT search_values_one_form_check CHECK ((places IS NULL) <> (bits IS NULL))
  ) WITH (fillfactor = 80)`,
  // Nothing here is long enough to be kept elsewhere, and what is compressed takes longer to read.
  'ALTER TABLE search_values ALTER term SET STORAGE PLAIN, ALTER places SET STORAGE PLAIN, ALTER bits SET STORAGE PLAIN',
  'CREATE INDEX search_values_block_id_idx ON search_values (block_id)',
];
